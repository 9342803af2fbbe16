const DIGITS = 0x1_0000

/**
 * The rows in ascending order of their columns, the first column counting most; equal ones keep their order.
 * A radix sort: comparing a million IPv6 addresses two by two takes seconds.
 */
export function sortedOrder(columns: readonly Uint32Array[], rows: number): Uint32Array {
  let order = Uint32Array.from({ length: rows }, (_, row) => row)
  let other = new Uint32Array(rows)
  for (const column of columns.toReversed())
    for (const shift of [0, 16]) if (sortByDigit(column, shift, order, other)) [order, other] = [other, order]
  return order
}

/** Moves the rows into `target` in the order of 16 bits of their column; false when all of them are equal. */
function sortByDigit(column: Uint32Array, shift: number, source: Uint32Array, target: Uint32Array): boolean {
  const places = new Uint32Array(DIGITS + 1)
  const digitOf = (row: number) => ((column[row] ?? 0) >>> shift) & 0xffff
  for (const row of source) {
    const next = digitOf(row) + 1
    places[next] = (places[next] ?? 0) + 1
  }
  if (places.includes(source.length)) return false
  for (let digit = 1; digit <= DIGITS; digit++)
    places[digit] = (places[digit] ?? 0) + (places[digit - 1] ?? 0)
  for (const row of source) {
    const digit = digitOf(row)
    const place = places[digit] ?? 0
    places[digit] = place + 1
    target[place] = row
  }
  return true
}
