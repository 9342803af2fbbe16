import { setImmediate as nextTurn } from 'node:timers/promises'

/** A file that is no CSV (RFC 4180). */
export class CsvError extends Error {}

/** A row with the number of its first line, counted from 1. */
interface CsvRow {
  line: number
  cells: string[]
}

/** Rows between which other work gets a turn. */
const ROWS_IN_TURN = 1_000

/**
 * The rows of a CSV file, empty lines aside. Lines end in CR LF, LF or CR, and a byte order mark is ignored.
 * @throws CsvError
 */
export async function* csvRows(text: string): AsyncGenerator<CsvRow> {
  let position = text.startsWith('\uFEFF') ? 1 : 0
  for (let line = 1, rows = 0; position < text.length; rows++) {
    const row = readRow(text, position, line)
    if (row.cells.length > 1 || row.cells[0] !== '') yield { line, cells: row.cells }
    position = row.end
    line += row.lines
    if (rows % ROWS_IN_TURN === ROWS_IN_TURN - 1) await nextTurn()
  }
}

function readRow(text: string, start: number, line: number) {
  const cells: string[] = []
  let lines = 1
  for (let position = start; ; position++) {
    const cell = text[position] === '"' ? readQuoted(text, position, line) : readPlain(text, position)
    cells.push(cell.value)
    lines += cell.breaks
    position = cell.end
    if (text[position] === ',') continue
    const isPair = text[position] === '\r' && text[position + 1] === '\n'
    return { cells, lines, end: position + (isPair ? 2 : 1) }
  }
}

const END_OF_CELL = /[,\r\n]/g

function readPlain(text: string, start: number) {
  END_OF_CELL.lastIndex = start
  const end = END_OF_CELL.exec(text)?.index ?? text.length
  return { value: text.slice(start, end), end, breaks: 0 }
}

function readQuoted(text: string, start: number, line: number) {
  let value = ''
  for (let from = start + 1; ; ) {
    const quote = text.indexOf('"', from)
    if (quote < 0) throw new CsvError(`line ${line}: a quoted cell does not end`)
    value += text.slice(from, quote)
    if (text[quote + 1] === '"') {
      value += '"'
      from = quote + 2
      continue
    }
    const end = quote + 1
    if (end < text.length && !/[,\r\n]/.test(text[end] ?? ''))
      throw new CsvError(`line ${line}: text after a quoted cell`)
    return { value, end, breaks: value.match(/\r\n|\r|\n/g)?.length ?? 0 }
  }
}
