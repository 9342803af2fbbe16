import { expect, test } from 'vitest'
import { accountSurface } from '../../test/account/account-surface.ts'

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
