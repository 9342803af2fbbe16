import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { SITE_MULTIPLE } from '../../src/lib/address-limit.ts'
import { historyPage } from '../contract/callers.ts'
import { from } from '../contract/roomy-settings.ts'
import { postSnapshot, runningServer } from '../running-server.ts'

const PER_MINUTE = 60

/** A server behind a proxy, and how many rows its visits left. */
async function site() {
  const server = await runningServer({
    settings: { TRUST_PROXY: '127.0.0.1', HISTORY_LIMIT_PER_SECOND: '1000' },
  })
  return {
    async visit(addresses: readonly string[]): Promise<void> {
      const answers = await Promise.all(
        addresses.map((address) => postSnapshot(server, randomUUID(), '{}', from(address))),
      )
      // The contract's answer over the limit is the same.
      for (const [index, answer] of answers.entries()) {
        expect(answer.status).toBe(200)
        expect(await answer.json()).toBe(addresses[index])
      }
    },
    async rows() {
      const newest = await historyPage(server, 'latest/all?limit=100')
      const markers = newest.data.filter(({ score }) => score === 999)
      return { total: newest.total, newestMarkers: markers.length }
    },
  }
}

const addressesOf = (network: string, count: number): string[] =>
  Array.from({ length: count }, (_, index) => `${network}:${(index + 1).toString(16)}`)

test('three hundred addresses of one /64 are one visitor: sixty visits and the marker are stored', async () => {
  const { visit, rows } = await site()
  await visit(addressesOf('2003:db:17:4:', 300))
  expect(await rows()).toEqual({ total: PER_MINUTE + 1, newestMarkers: 1 })
  // A neighbour is not affected.
  await visit(['2003:db:17:5::1'])
  expect((await rows()).total).toBe(PER_MINUTE + 2)
})

test('a /56 with a new /64 for each visit gets the budget of eight addresses', async () => {
  const { visit, rows } = await site()
  const lines = Array.from({ length: 256 }, (_, line) => `2003:db:18:${(line + 0x100).toString(16)}::1`)
  await visit(lines)
  await visit(lines)
  expect((await rows()).total).toBe(PER_MINUTE * SITE_MULTIPLE + 1)
  await visit(['2003:db:18:200::1'])
  expect((await rows()).total).toBe(PER_MINUTE * SITE_MULTIPLE + 2)
})
