/**
 * Whether a parsed JSON value nests objects and arrays deeper than `levels`. Recursive code, such as
 * `JSON.stringify`, overflows the stack a few thousand levels down.
 */
export function isDeeperThan(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false
  if (levels === 0) return true
  return Array.isArray(value) ? arrayIsDeeperThan(value, levels - 1) : objectIsDeeperThan(value, levels - 1)
}

function arrayIsDeeperThan(list: readonly unknown[], levels: number): boolean {
  for (const child of list) if (isDeeperThan(child, levels)) return true
  return false
}

/** Loops over keys, because `Object.values` would allocate an array for each object of every body. */
function objectIsDeeperThan(record: object, levels: number): boolean {
  // Parsed JSON inherits nothing enumerable.
  for (const key in record) if (isDeeperThan(record[key as keyof typeof record], levels)) return true
  return false
}
