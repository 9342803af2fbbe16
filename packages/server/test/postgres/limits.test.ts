import { expect, onTestFinished, test } from 'vitest'
import { createRateLimit, type Permission } from '../../src/lib/limits.ts'
import { temporaryStore } from '../temporary-store.ts'
import { openStoreIn } from '../test-database.ts'

const POINTS = 7

async function twoNodes() {
  const { store, directory } = await temporaryStore()
  const other = await openStoreIn(directory)
  onTestFinished(() => other.close())
  return [store, other].map(({ pool }) =>
    createRateLimit({ points: POINTS, windowSeconds: 60, blockSeconds: 600 }, { name: 'test', pool }),
  )
}

const counted = (permissions: readonly Permission[]): Partial<Record<Permission, number>> =>
  Object.fromEntries(
    Object.entries(Object.groupBy(permissions, (permission) => permission)).map(([name, { length }]) => [
      name,
      length,
    ]),
  )

test('each key has its limit exactly, however many requests come at once and at whichever node', async () => {
  const nodes = await twoNodes()
  const keys = ['a', 'b', 'c', 'd']
  const taken = await Promise.all(
    Array.from({ length: 30 }, (_, index) => index).flatMap((index) =>
      keys.map(async (key) => ({ key, permission: await nodes[index % 2]?.take(key) })),
    ),
  )
  for (const key of keys) {
    const ofKey = taken.flatMap((one) => (one.key === key && one.permission ? [one.permission] : []))
    expect(counted(ofKey)).toEqual({ allowed: POINTS, exceeded: 1, blocked: 30 - POINTS - 1 })
  }
})

test('a blocked key stays blocked at the other node, for the time of its block', async () => {
  const [one, other] = await twoNodes()
  for (let count = 0; count <= POINTS; count++) await one?.take('a')
  expect(await other?.take('a')).toBe('blocked')
  expect(await other?.waitSeconds('a')).toBeGreaterThan(60)
})
