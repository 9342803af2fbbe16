import { expect, test } from 'vitest'
import { packPage, pageReader, rowsOfPages } from './packed-pages.ts'

const PAGES = [['a', 'b'], [], ['c'], ['d', 'e', 'f'], ['g'], ['h'], ['i']]

test('rows of packed pages are one list, in any order of reading and with empty pages', () => {
  const rows = rowsOfPages(PAGES.map(packPage), pageReader<string>())
  const all = PAGES.flat()
  expect(rows.count).toBe(all.length)
  const places = all.map((_, index) => index)
  expect(places.map((index) => rows.at(index))).toEqual(all)
  expect(places.toReversed().map((index) => rows.at(index))).toEqual(all.toReversed())
  expect([rows.at(all.length), rows.at(-1)]).toEqual([undefined, undefined])
})

test('a row stays the same object while rows around it are read, so that it is not drawn again, and no longer', () => {
  const pages = Array.from({ length: 9 }, (_, page) => packPage([{ page }, { page }]))
  const rows = rowsOfPages(pages, pageReader<object>())
  const first = rows.at(3)
  expect(rows.at(4)).not.toBe(first)
  expect(rows.at(3)).toBe(first)
  for (let index = 4; index < rows.count; index++) rows.at(index)
  expect(rows.at(3)).not.toBe(first)
  expect(rows.at(3)).toEqual(first)
})
