import { expect, test } from 'vitest'
import { proof } from '../../test/identified.ts'
import type { Proof } from '../visit/proof.ts'
import { createTicketRate } from './ticket-rate.ts'

async function afterVisits(addresses: readonly string[], given: Proof): Promise<boolean | undefined> {
  const rate = createTicketRate({ latest: () => Promise.resolve([]), warn: () => {} })
  await rate.isExpected(1)
  for (const address of addresses) rate.learn(1, address, given)
  return rate.isExpected(1)
}

const NETWORKS = Array.from({ length: 10 }, (_, number) => `91.0.${number}.1`)

test('ten networks with proven visits make a ticket expected, and bodies that only fetched one do not', async () => {
  expect(await afterVisits(NETWORKS, proof())).toBe(true)
  expect(await afterVisits(NETWORKS, proof({ key: { state: 'unsupported' } }))).toBe(true)
  expect(await afterVisits(NETWORKS, proof({ body: 'unbound' }))).toBeUndefined()
  expect(await afterVisits(NETWORKS, proof({ key: { state: 'none' } }))).toBeUndefined()
})

test('all that one can rent in IPv6 has one vote', async () => {
  const ofOne = Array.from({ length: 20 }, (_, number) => `2001:db8:1:${number}00::1`)
  const ofMany = Array.from({ length: 10 }, (_, number) => `2001:db8:${number}::1`)
  expect(await afterVisits(ofOne, proof())).toBeUndefined()
  expect(await afterVisits(ofMany, proof())).toBe(true)
})
