import { expect, test } from 'vitest'
import { accountSurface } from '../../test/account/account-surface.ts'
import { planOf, recorder } from '../../test/account/query-plans.ts'
import { auditStore } from '../store/users/users.ts'

test('the log has each entry once over its pages, newest first', async () => {
  const { ask } = await accountSurface()
  for (const remaining of [1, 2, 3])
    await ask({ method: 'PATCH', url: '/account/domains/shop.example', payload: { remaining } })
  const seen: number[] = []
  let cursor: string | null = null
  do {
    const query: Record<string, string> = { limit: '2', ...(cursor !== null && { cursor }) }
    const page = (await ask({ url: '/account/audit', query })).json()
    seen.push(...page.data.map(({ id }: { id: number }) => id))
    cursor = page.next
  } while (cursor !== null)
  expect(seen).toEqual([...new Set(seen)].sort((a, b) => b - a))
  // Two logins and three changes.
  expect(seen).toHaveLength(5)
})

test('the log of a domain has its own entries alone, those of its name before it was added not among them', async () => {
  const { ask, store, clock } = await accountSurface()
  const add = (target: string, action = 'domain.change', atMs = clock.nowMs) =>
    auditStore(store.writes).add({ actor: 'test', action, target }, atMs)
  await add('all', 'domain.remove', clock.nowMs - 1)
  const added = await ask({ method: 'POST', url: '/account/domains', payload: { domain: 'all' } })
  expect(added.statusCode).toBe(201)
  await add('shop.example')
  await add('all', 'feeds.update')
  await add('all', 'key.rotate')
  const seen: string[] = []
  let cursor: string | null = null
  do {
    const query: Record<string, string> = { limit: '1', ...(cursor !== null && { cursor }) }
    const page = (await ask({ url: '/account/domains/all/audit', query })).json()
    seen.push(...page.data.map(({ action }: { action: string }) => action))
    cursor = page.next
  } while (cursor !== null)
  expect(seen).toEqual(['key.rotate', 'domain.add'])
})

test('the log of a domain is read in the order of its index', async () => {
  const { store } = await accountSurface()
  const record = recorder()
  const entries = auditStore(store.reads.withPlugin(record))
  await entries.listOfDomain({ name: 'shop.example', created_at: 5 }, [9, 9], 50)
  const [node] = record.seen
  if (!node) throw new Error('nothing was read')
  const plan = (await planOf(store.writes, node)).plan.join('\n')
  expect(plan).toContain('audit_by_target')
  expect(plan).not.toMatch(/TEMP B-TREE|Sort/)
})

test('a forged cursor is an error', async () => {
  const { ask } = await accountSurface()
  for (const cursor of ['x', 'WyJhIl0', 'WzEsMl0', 'WzFlOTld'])
    expect((await ask({ url: '/account/audit', query: { cursor } })).statusCode).toBe(400)
})

test('a limit out of range is an error', async () => {
  const { ask } = await accountSurface()
  for (const limit of ['0', '201', '-1', 'x', ''])
    expect((await ask({ url: '/account/audit', query: { limit } })).statusCode).toBe(400)
})
