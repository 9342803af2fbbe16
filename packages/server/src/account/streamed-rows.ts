/* How rows are written into a file while it is downloaded. */

type Cell = string | number | boolean | undefined

/**
 * Spreadsheets evaluate a cell that starts like this (https://owasp.org/www-community/attacks/CSV_Injection), some of
 * them with the full-width signs of East Asian keyboards as well.
 */
const FORMULA = /^'*[=+\-@\t\r\n＝＋－＠]/

/** A line of CSV (RFC 4180). An apostrophe before text that would be a formula makes it plain text. */
export const csvLine = (cells: readonly Cell[]): string => `${cells.map(cell).join(',')}\r\n`

/** The text that `csvLine` wrote into a cell. */
export const csvText = (text: string): string =>
  text.startsWith("'") && FORMULA.test(text) ? text.slice(1) : text

function cell(value: Cell): string {
  if (typeof value !== 'string') return value === undefined ? '' : String(value)
  const plain = FORMULA.test(value) ? `'${value}` : value
  return /[",\r\n]/.test(plain) ? `"${plain.replaceAll('"', '""')}"` : plain
}

/** Streams a JSON array, one element a line. */
export async function* jsonArray(elements: AsyncIterable<object>): AsyncGenerator<string> {
  let before = '[\n'
  for await (const element of elements) {
    yield `${before}${JSON.stringify(element)}`
    before = ',\n'
  }
  yield before === '[\n' ? '[]\n' : '\n]\n'
}
