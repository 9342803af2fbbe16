import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { AUTOMATED, ordinaryBody, uniqueDevice } from '../../server/test/contract/bodies.ts'
import { identify } from '../../server/test/contract/callers.ts'
import { ADDRESSES, from, ROOMY_SETTINGS } from '../../server/test/contract/roomy-settings.ts'
import { startTestServer } from '../../server/test/running-server.ts'
import { decide, memoryReplayStore } from '../src/index.ts'
import { testClient } from './test-client.ts'

let server: Awaited<ReturnType<typeof startTestServer>>
beforeAll(async () => {
  server = await startTestServer({ settings: ROOMY_SETTINGS })
})
afterAll(() => server.close())

async function visit(user_hid: string, readings: object): Promise<string> {
  const requestId = randomUUID()
  await identify(server, requestId, ordinaryBody({ user_hid }, readings), from(ADDRESSES.home))
  return requestId
}

test('a sign-up form: a person is allowed once, a program is denied, and a third account is challenged', async () => {
  const { client } = testClient(server)
  const replayStore = memoryReplayStore()
  const device = uniqueDevice()
  const signUp = async (requestId: string, asking: string) =>
    decide(await client.verdict(requestId), {
      replayStore,
      flags: { browser_automation: 'deny' },
      accounts: { max: 2, of: client.history.accountsOfDevice, asking },
    })

  const first = await visit('anonymous', device)
  expect(await signUp(first, 'ann')).toEqual({ action: 'allow', reasons: [] })
  expect(await signUp(first, 'bob')).toMatchObject({ action: 'deny', reasons: [{ code: 'reused' }] })

  for (const account of ['ann', 'bob', 'fail', 'unknown']) await visit(account, device)
  expect(await signUp(await visit('anonymous', device), 'bob')).toMatchObject({ action: 'allow' })
  expect(await signUp(await visit('anonymous', device), 'eve')).toMatchObject({
    action: 'challenge',
    reasons: [{ code: 'too_many_accounts' }],
  })

  const program = await signUp(await visit('anonymous', { ...uniqueDevice(), ...AUTOMATED }), 'bot')
  expect(program).toMatchObject({
    action: 'deny',
    reasons: [{ code: 'dangerous' }, { code: 'flag', flag: 'browser_automation' }],
  })
  expect(await signUp('not an ID', 'eve')).toMatchObject({ reasons: [{ code: 'unverified' }] })
})
