import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { accountSurface } from '../../test/account/account-surface.ts'
import { planOf, recorder, unbounded } from '../../test/account/query-plans.ts'
import { directFrom, storeVisit } from '../../test/account/stored-visits.ts'
import { findOperations } from './find.ts'

test.each([
  ['the beginning of an ID', 'abcdef'],
  ['a whole ID', randomUUID()],
  ['an account', 'ada'],
  ['an address', '192.0.2.44'],
  ['an IPv6 address', '2001:db8::1'],
  ['a network', '192.0.2.0/24'],
  ['an IPv6 network', '2001:db8::/32'],
  ['an autonomous system', 'AS13335'],
  ['a country', 'France'],
  ['a number', '12'],
  ['a pattern', 'accounts on one'],
])('%s is looked up with an index alone', async (_, q) => {
  const surface = await accountSurface()
  await storeVisit(surface, {
    userHid: 'ada',
    identity: { deviceId: `abcdef${randomUUID().slice(6)}`, visitorId: randomUUID(), components: [] },
    ...directFrom('192.0.2.44'),
  })
  const record = recorder()
  const store = { ...surface.store, reads: surface.store.reads.withPlugin(record) }
  const call = { params: { domain: 'shop.example' }, query: { q } }
  await findOperations.findAnything(call as never, { store, now: () => surface.clock.nowMs } as never)
  // Of the domain by its name, and at least of accounts and lists.
  expect(record.seen.length).toBeGreaterThan(2)
  for (const node of record.seen) {
    const { text, plan } = await planOf(surface.store.writes, node)
    expect(unbounded(plan), `${text}\n${plan.join('\n')}`).toEqual([])
  }
})
