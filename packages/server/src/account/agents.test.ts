import { AgentPolicy } from '@inkling/contract/account'
import { expect, test } from 'vitest'
import { accountSurface } from '../../test/account/account-surface.ts'

const URL = '/account/domains/shop.example/agents'

async function shop() {
  const surface = await accountSurface()
  const { ask, tokens } = surface
  return {
    ...surface,
    policy: async () => AgentPolicy.strict().parse((await ask({ url: URL, token: tokens.analyst })).json()),
    save: (payload: object, token = tokens.owner) => ask({ method: 'POST', url: URL, payload, token }),
  }
}

test('saved rules for agents count at once, and every version keeps its author, time and note', async () => {
  const { policy, save, directory, clock, actions } = await shop()
  expect(await policy()).toMatchObject({ rules: [], versions: [] })
  const rules = [{ action: 'deny', category: ['ai_training'] }]
  expect((await save({ rules, note: 'our articles' })).statusCode).toBe(200)
  clock.nowMs += 1_000
  await save({ rules: [] })
  expect(directory.byName('shop.example')?.agentRules).toEqual([])
  const { versions } = await policy()
  expect(versions).toMatchObject([
    { version: 2, rules: [] },
    {
      version: 1,
      rules,
      note: 'our articles',
      actor: 'owner@shop.example',
      saved_at: '2026-11-21T00:00:00.000Z',
    },
  ])
  expect((await actions()).slice(0, 2)).toEqual(['agents.save', 'agents.save'])
})

test('the catalogue says of each agent how it can prove itself, and where that is documented', async () => {
  const { agents } = await (await shop()).policy()
  expect(agents).toContainEqual(
    expect.objectContaining({ id: 'chatgpt_agent', operator: 'OpenAI', proofs: ['signature'] }),
  )
  for (const { id, source } of agents) expect(source, id).toMatch(/^https?:\/\//)
})

test.each([
  ['a limit without a number', { action: 'limit' }],
  ['a number without a limit', { action: 'deny', per_minute: 5 }],
  ['a category that nobody knows', { action: 'deny', category: ['robots'] }],
  ['a path that does not begin with a slash', { action: 'deny', path: 'admin' }],
  ['a condition that does not exist', { action: 'deny', country: 'DE' }],
])('rules with %s are refused', async (_name, rule) => {
  const { save, directory } = await shop()
  expect((await save({ rules: [rule] })).statusCode).toBe(400)
  expect(directory.byName('shop.example')?.agentRules).toEqual([])
})
