import { HistoryRow } from '@inkling/contract'
import { expect, test } from 'vitest'
import { type AccountSurface, accountSurface } from '../../../test/account/account-surface.ts'
import { overTor, storeVisit } from '../../../test/account/stored-visits.ts'
import { csvLine } from './csv.ts'

const PATH = '/account/domains/shop.example/identifications'

const exported = ({ ask, tokens }: AccountSurface, query: Record<string, string>) =>
  ask({ url: `${PATH}/export`, query, token: tokens.analyst })

test('JSON holds every match, more than a page, in the order asked for', async () => {
  const surface = await accountSurface()
  for (let index = 0; index < 7; index += 1)
    await storeVisit(surface, { atMs: surface.clock.nowMs + index, ...(index === 3 ? overTor() : {}) })
  const answer = await exported(surface, { format: 'json', sort: 'oldest' })
  expect(answer.headers['content-disposition']).toBe('attachment; filename="shop.example.json"')
  const rows = HistoryRow.array().parse(answer.json())
  expect(rows.map(({ created_at }) => created_at)).toEqual(
    rows.map(({ created_at }) => created_at).toSorted(),
  )
  expect(rows).toHaveLength(7)
  expect((await exported(surface, { format: 'json', flag: 'tor' })).json()).toHaveLength(1)
  expect((await exported(surface, { format: 'json', flag: 'vpn' })).json()).toEqual([])
})

test('CSV has a header line and one line a row', async () => {
  const surface = await accountSurface()
  await storeVisit(surface, { userHid: 'a,"b"' })
  const answer = await exported(surface, {})
  expect(answer.headers['content-type']).toBe('text/csv; charset=utf-8')
  const [header, row, end] = answer.body.split('\r\n')
  expect(header).toBe(Object.keys(HistoryRow.shape).join(','))
  expect(row).toContain('"a,""b"""')
  expect(end).toBe('')
})

test('more rows than are read at a time are all there', async () => {
  const surface = await accountSurface()
  const count = 1_203
  await Promise.all(
    Array.from({ length: count }, (_, index) => storeVisit(surface, { atMs: surface.clock.nowMs + index })),
  )
  const lines = (await exported(surface, {})).body.trimEnd().split('\r\n')
  expect(new Set(lines).size).toBe(count + 1)
})

test.each([
  ['=1+1', "'=1+1"],
  ['@SUM(A1)', "'@SUM(A1)"],
  ['-1', "'-1"],
  ['a\nb', '"a\nb"'],
  ['plain', 'plain'],
])('the text %j becomes %j', (text, cell) => {
  expect(csvLine([text, 5, true, undefined])).toBe(`${cell},5,true,\r\n`)
})
