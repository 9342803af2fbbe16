/* How rows are written into a file while it is downloaded. */

type Cell = string | number | boolean | undefined

/**
 * Spreadsheets evaluate a cell that starts like this (https://owasp.org/www-community/attacks/CSV_Injection), some of
 * them with the full-width signs of East Asian keyboards as well.
 */
const FORMULA = /^'*[=+\-@\t\r\n＝＋－＠]/

/**
 * The same where a spreadsheet separates cells by something else than a comma, as it does in most of Europe: quotes in the
 * middle of a cell hide nothing then.
 */
const FORMULA_WITHIN = /([;\t|\r\n])(?=["']*[=+\-@＝＋－＠])/g
const PLAIN_WITHIN = /([;\t|\r\n])'(?=["']*[=+\-@＝＋－＠])/g

/** A line of CSV (RFC 4180). An apostrophe before text that would be a formula makes it plain text. */
export const csvLine = (cells: readonly Cell[]): string => `${cells.map(cell).join(',')}\r\n`

/** The text that `csvLine` wrote into a cell. */
export function csvText(text: string): string {
  const whole = text.startsWith("'") && FORMULA.test(text) ? text.slice(1) : text
  return whole.replace(PLAIN_WITHIN, '$1')
}

function cell(value: Cell): string {
  if (typeof value !== 'string') return value === undefined ? '' : String(value)
  const within = value.replace(FORMULA_WITHIN, "$1'")
  const plain = FORMULA.test(within) ? `'${within}` : within
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
