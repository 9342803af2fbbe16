import { CsvError, csvRows } from '../lib/csv.ts'
import { AppError } from '../lib/errors.ts'
import { csvText } from './streamed-rows.ts'

/** Wrong rows that an error names; it counts the others. */
const PROBLEMS_MAX = 1_000

interface CsvTable<Row> {
  columns: readonly string[]
  /** Those of `columns` that every file must have. */
  required: readonly string[]
  /** Columns of an export that say nothing to an import. */
  ignored: readonly string[]
  /** @param cells by column; empty ones are left out */
  read(cells: Readonly<Record<string, string>>): { row: Row; key: string } | { problem: string }
}

/**
 * The rows of an imported file.
 * @throws AppError `INK_INVALID_FIELD`, which names all rows that are wrong
 */
export async function readCsvTable<Row>(csv: string, table: CsvTable<Row>): Promise<Row[]> {
  const rows: Row[] = []
  const problems: string[] = []
  const lineOf = new Map<string, number>()
  let header: string[] | undefined
  try {
    for await (const { line, cells } of csvRows(csv)) {
      if (!header) {
        header = readHeader(cells, table)
        continue
      }
      const read = readCells(header, cells, table)
      const same = 'key' in read ? lineOf.get(read.key) : undefined
      if ('problem' in read) problems.push(`line ${line}: ${read.problem}`)
      else if (same !== undefined) problems.push(`line ${line}: the same as line ${same}`)
      else {
        lineOf.set(read.key, line)
        rows.push(read.row)
      }
    }
  } catch (error) {
    if (!(error instanceof CsvError)) throw error
    problems.push(error.message)
  }
  if (!header && problems.length === 0) problems.push('the file is empty')
  if (problems.length > 0) throw new AppError('INK_INVALID_FIELD', describe(problems))
  return rows
}

function readHeader(cells: readonly string[], { columns, required, ignored }: CsvTable<unknown>): string[] {
  const names = cells.map((cell) => cell.trim().toLowerCase())
  const missing = required.filter((column) => !names.includes(column))
  const unknown = names.filter((name) => !columns.includes(name) && !ignored.includes(name))
  const twice = names.filter((name, index) => names.indexOf(name) !== index)
  if (missing.length > 0) throw new CsvError(`line 1: the column ${missing.join(', ')} is missing`)
  if (unknown.length > 0) throw new CsvError(`line 1: no such column: ${unknown.join(', ')}`)
  if (twice.length > 0) throw new CsvError(`line 1: the column ${twice.join(', ')} is there twice`)
  return names
}

function readCells<Row>(header: readonly string[], cells: readonly string[], table: CsvTable<Row>) {
  if (cells.length !== header.length)
    return { problem: `${cells.length} cells where line 1 has ${header.length}` }
  const named: Record<string, string> = {}
  header.forEach((name, index) => {
    const text = csvText(cells[index] ?? '')
    if (text !== '' && !table.ignored.includes(name)) named[name] = text
  })
  return table.read(named)
}

function describe(problems: readonly string[]): string {
  const left = problems.length - PROBLEMS_MAX
  return [...problems.slice(0, PROBLEMS_MAX), ...(left > 0 ? [`and ${left} more`] : [])].join('\n')
}
