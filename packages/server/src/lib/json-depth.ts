/**
 * Whether a parsed JSON value has objects or lists inside each other more than so many levels deep. Programs
 * that walk over JSON, such as `JSON.stringify`, run out of stack some thousand levels down.
 */
export function isDeeperThan(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false
  if (levels === 0) return true
  return Array.isArray(value) ? listNestsOver(value, levels - 1) : recordNestsOver(value, levels - 1)
}

function listNestsOver(list: readonly unknown[], levels: number): boolean {
  for (const child of list) if (isDeeperThan(child, levels)) return true
  return false
}

/** Every body comes by here: a list of its values for each object would be thrown away at once. */
function recordNestsOver(record: object, levels: number): boolean {
  // What JSON makes inherits nothing that `in` lists.
  for (const key in record) if (isDeeperThan(record[key as keyof typeof record], levels)) return true
  return false
}
