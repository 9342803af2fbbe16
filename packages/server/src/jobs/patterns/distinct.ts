import type { PatternRow } from './pattern.ts'

/** Rows by a value that they share; those without one are left out. */
export function groupRows<Value>(
  rows: readonly PatternRow[],
  read: (row: PatternRow) => Value | undefined,
): Map<Value, PatternRow[]> {
  const groups = new Map<Value, PatternRow[]>()
  for (const row of rows) {
    const value = read(row)
    if (value === undefined) continue
    const group = groups.get(value)
    if (group) group.push(row)
    else groups.set(value, [row])
  }
  return groups
}

/** How many values there are, and the rows that have one. */
export function countDistinct<Value>(
  rows: readonly PatternRow[],
  read: (row: PatternRow) => Value | undefined,
): { count: number; rows: PatternRow[] } {
  const groups = groupRows(rows, read)
  return { count: groups.size, rows: [...groups.values()].flat() }
}

/** Of the rows that have a score; 0 without any. */
export function averageScore(rows: readonly PatternRow[]): number {
  const scores = rows.flatMap(({ score }) => (score === undefined ? [] : [score]))
  return scores.length === 0 ? 0 : scores.reduce((sum, score) => sum + score, 0) / scores.length
}
