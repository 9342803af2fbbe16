type Cell = string | number | boolean | undefined

/** A spreadsheet would run what begins like this. */
const FORMULA = /^[=+\-@\t\r]/

/** A line of CSV (RFC 4180); text that reads as a formula is made plain text by an apostrophe. */
export const csvLine = (cells: readonly Cell[]): string => `${cells.map(cell).join(',')}\r\n`

function cell(value: Cell): string {
  if (typeof value !== 'string') return value === undefined ? '' : String(value)
  const plain = FORMULA.test(value) ? `'${value}` : value
  return /[",\r\n]/.test(plain) ? `"${plain.replaceAll('"', '""')}"` : plain
}
