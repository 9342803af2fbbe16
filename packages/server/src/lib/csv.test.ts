import { expect, test } from 'vitest'
import { csvLine, csvText } from '../account/streamed-rows.ts'
import { CsvError, csvRows } from './csv.ts'

const rowsOf = async (text: string) => Array.fromAsync(csvRows(text))
const cellsOf = async (text: string) => (await rowsOf(text)).map(({ cells }) => cells)

test('rows are read with any line end, quotes, line breaks in cells and a byte order mark', async () => {
  expect(await rowsOf('\uFEFFa,b\r\n"x, ""y""","1\r\n2"\n\n,\rlast,')).toEqual([
    { line: 1, cells: ['a', 'b'] },
    { line: 2, cells: ['x, "y"', '1\r\n2'] },
    { line: 5, cells: ['', ''] },
    { line: 6, cells: ['last', ''] },
  ])
  expect(await rowsOf('')).toEqual([])
})

test.each(['"open', 'a\n"b" c\n'])('a file with broken quotes is refused: %j', async (text) => {
  await expect(rowsOf(text)).rejects.toThrow(CsvError)
})

test('what an export writes an import reads, formulas as text in between', async () => {
  const rows = [
    ['=1+1', "'=1", "''", '@x', '-5', '\tx', '＝1'],
    ['x;=1+1;y', "x;'=1", 'a\t@x', 'a|-1', 'a;"=1', "a\r\n'=1", '\t=1', "';=", 'a;b'],
    ['plain', 'a,b', 'a"b', 'a\r\nb', '"', ' x ', ''],
  ]
  const text = rows.map(csvLine).join('')
  expect(text).not.toMatch(/(^|,)"?[=@\t＝-]/m)
  expect((await cellsOf(text)).map((cells) => cells.map(csvText))).toEqual(rows)
})

test('no cell of an export runs as a formula where something else separates cells', () => {
  const text = csvLine(['x;=1+1;y', 'a\t+1', 'a|@x', 'a;"=1', 'a\r\n-1', 'a;b'])
  expect(text).not.toMatch(/[;\t|\r\n]["]*[=+@-]/)
  expect(text).toContain('a;b')
})
