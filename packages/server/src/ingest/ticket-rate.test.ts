import { expect, test } from 'vitest'
import { proof } from '../../test/identified.ts'
import type { Proof } from '../visit/proof.ts'
import { createTicketRate } from './ticket-rate.ts'

const SHOP = { domainId: 1, host: 'shop.example' }

async function afterVisits(addresses: readonly string[], given: Proof): Promise<boolean | undefined> {
  const rate = createTicketRate({ latest: () => Promise.resolve([]), warn: () => {} })
  await rate.isExpected(SHOP)
  for (const address of addresses) rate.learn(SHOP, address, given)
  return rate.isExpected(SHOP)
}

const NETWORKS = Array.from({ length: 10 }, (_, number) => `91.0.${number}.1`)

test('ten networks with proven visits make a ticket expected, and bodies that only fetched one do not', async () => {
  expect(await afterVisits(NETWORKS, proof())).toBe(true)
  expect(await afterVisits(NETWORKS, proof({ key: { state: 'unsupported' } }))).toBe(true)
  expect(await afterVisits(NETWORKS, proof({ body: 'unbound' }))).toBeUndefined()
  expect(await afterVisits(NETWORKS, proof({ key: { state: 'none' } }))).toBeUndefined()
})

test('bodies without any proof do not take the meaning from tickets, and sealed ones behind a proxy do', async () => {
  const bare = proof({ ticket: { state: 'missing' }, body: 'unbound', key: { state: 'none' } })
  const sealed = proof({ ticket: { state: 'missing' } })
  for (const [given, expected] of [
    [bare, true],
    [sealed, false],
  ] as const) {
    const rate = createTicketRate({ latest: () => Promise.resolve([]), warn: () => {} })
    await rate.isExpected(SHOP)
    for (const address of NETWORKS) rate.learn(SHOP, address, proof())
    for (let network = 0; network < 20; network += 1) rate.learn(SHOP, `92.0.${network}.1`, given)
    expect(await rate.isExpected(SHOP)).toBe(expected)
  }
})

test('all that one can rent in IPv6 has one vote', async () => {
  const ofOne = Array.from({ length: 20 }, (_, number) => `2001:db8:1:${number}00::1`)
  const ofMany = Array.from({ length: 10 }, (_, number) => `2001:db8:${number}::1`)
  expect(await afterVisits(ofOne, proof())).toBeUndefined()
  expect(await afterVisits(ofMany, proof())).toBe(true)
})

test('a host whose proxy passes on nothing but posts takes no meaning from the tickets of the other hosts', async () => {
  const rate = createTicketRate({
    latest: async () => [
      ...NETWORKS.map((address) => ({ host: 'shop.example', address, state: 'valid' as const })),
      ...NETWORKS.map((address) => ({ host: 'blog.shop.example', address, state: 'missing' as const })),
    ],
    warn: () => {},
  })
  expect(await rate.isExpected(SHOP)).toBe(true)
  expect(await rate.isExpected({ ...SHOP, host: 'blog.shop.example' })).toBe(false)
})
