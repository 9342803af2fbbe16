import { expect, test } from 'vitest'
import type { Find } from './find.ts'
import { forgetFinds, RECENT_MAX, recentFinds, rememberFind } from './recent-finds.ts'

/** What one browser keeps. */
function browser(stored?: string) {
  const items = new Map(stored === undefined ? [] : [['inkling-recent-finds', stored]])
  return () => ({
    getItem: (key: string) => items.get(key) ?? null,
    setItem: (key: string, value: string) => void items.set(key, value),
    removeItem: (key: string) => void items.delete(key),
  })
}

const account = (value: string): Find => ({
  icon: 'user',
  title: value,
  about: 'Account',
  target: {
    to: '/d/$domain/entity',
    params: { domain: 'shop.example' },
    search: { type: 'user_hid', value },
  },
})
const titles = (finds: readonly Find[]): string[] => finds.map(({ title }) => title)

test('the latest come first, each once, and no more than a few', () => {
  const kept = browser()
  for (let index = 0; index < RECENT_MAX + 2; index += 1) rememberFind(kept, 1, account(`a${index}`))
  rememberFind(kept, 1, account('a5'))
  expect(titles(recentFinds(kept, 1))).toEqual(['a5', 'a9', 'a8', 'a7', 'a6', 'a4', 'a3', 'a2'])
})

test('what may change is not kept', () => {
  const kept = browser()
  rememberFind(kept, 1, { ...account('ada'), now: 'last seen today' })
  expect(recentFinds(kept, 1)).toEqual([account('ada')])
})

test('another user sees nothing of them, and after a sign-out nobody does', () => {
  const kept = browser()
  rememberFind(kept, 1, account('ada'))
  expect(recentFinds(kept, 2)).toEqual([])
  expect(titles(recentFinds(kept, 1))).toEqual(['ada'])
  forgetFinds(kept)
  expect(recentFinds(kept, 1)).toEqual([])
})

test.each([
  ['no JSON', '{'],
  ['another shape', '[1]'],
  ['no list', '{"user":1,"finds":{}}'],
  ['rows of another shape', '{"user":1,"finds":[null,1,{"title":"x"},{"target":{"to":"/"}}]}'],
  [
    'a page that there is not',
    JSON.stringify({
      user: 1,
      finds: [{ ...account('x'), target: { to: 'https://evil.example', params: {}, search: {} } }],
    }),
  ],
])('%s in the storage is nothing recent', (_, stored) => {
  expect(recentFinds(browser(stored), 1)).toEqual([])
})

test('a browser that keeps nothing has nothing recent', () => {
  const refusing = () => {
    throw new Error('access denied')
  }
  rememberFind(refusing, 1, account('ada'))
  forgetFinds(refusing)
  expect(recentFinds(refusing, 1)).toEqual([])
})
