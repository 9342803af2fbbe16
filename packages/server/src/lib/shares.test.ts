import { expect, test } from 'vitest'
import { createShares } from './shares.ts'

test('a key runs its share and waits in order; other keys do not wait for it', async () => {
  const inShare = createShares(1, 2)
  const order: string[] = []
  const gates = new Map<string, () => void>()
  const start = (key: string, name: string) =>
    inShare(key, async () => {
      order.push(name)
      await new Promise<void>((resolve) => gates.set(name, resolve))
    })
  const first = start('greedy', 'first')
  const second = start('greedy', 'second')
  const third = start('greedy', 'third')
  await expect(start('greedy', 'refused')).rejects.toThrow('too many requests')
  const other = start('quiet', 'other')
  expect(order).toEqual(['first', 'other'])
  gates.get('first')?.()
  await first
  expect(order).toEqual(['first', 'other', 'second'])
  gates.get('second')?.()
  await second
  gates.get('third')?.()
  gates.get('other')?.()
  await Promise.all([third, other])
})

test('work that fails gives its place back', async () => {
  const inShare = createShares(1)
  await expect(inShare('key', () => Promise.reject(new Error('failed')))).rejects.toThrow('failed')
  expect(await inShare('key', () => Promise.resolve(1))).toBe(1)
})
