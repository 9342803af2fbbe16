/**
 * Rows as one text for each page. Somebody who reads on has a hundred thousand of them, and as objects they hold up
 * frames: the garbage collector visits each value of each row, and a text only once.
 */
export interface PackedPage {
  count: number
  /** The rows as JSON. */
  text: string
}

export const packPage = (rows: readonly unknown[]): PackedPage => ({
  count: rows.length,
  text: JSON.stringify(rows),
})

/** Rows in sight are of two pages at most; more so that turning round on a border unpacks none again. */
const UNPACKED_MAX = 4

/** @returns reads a row by its place in a page, and keeps the pages that were read last as objects */
export function pageReader<Row>(): (page: PackedPage, place: number) => Row | undefined {
  const unpacked = new Map<PackedPage, Row[]>()
  return (page, place) => {
    const rows = unpacked.get(page) ?? (JSON.parse(page.text) as Row[])
    unpacked.delete(page)
    unpacked.set(page, rows)
    const [oldest] = unpacked.keys()
    if (unpacked.size > UNPACKED_MAX && oldest) unpacked.delete(oldest)
    return rows[place]
  }
}

export interface RowsOfPages<Row> {
  count: number
  at(index: number): Row | undefined
}

/** The rows of all pages as one list. */
export function rowsOfPages<Row>(
  pages: readonly PackedPage[],
  read: (page: PackedPage, place: number) => Row | undefined,
): RowsOfPages<Row> {
  const ends: number[] = []
  for (const { count } of pages) ends.push((ends.at(-1) ?? 0) + count)
  return {
    count: ends.at(-1) ?? 0,
    at(index) {
      const number = firstAbove(ends, index)
      const page = pages[number]
      return page && read(page, index - ((ends[number] ?? 0) - page.count))
    },
  }
}

/** Where the first of rising numbers stands that is above a value. */
function firstAbove(rising: readonly number[], value: number): number {
  let [from, to] = [0, rising.length]
  while (from < to) {
    const middle = (from + to) >> 1
    if ((rising[middle] ?? 0) > value) to = middle
    else from = middle + 1
  }
  return from
}
