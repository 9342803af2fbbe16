/**
 * The row of the range that could hold the value, -1 when it lies below all of them. Of the rows, those
 * before `first` must start at or below the value and those from `end` on above it.
 */
export function lastStartAtOrBelow(
  starts: Uint32Array,
  value: number,
  first = 0,
  end = starts.length,
): number {
  let low = first
  let high = end
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((starts[middle] ?? 0) <= value) low = middle + 1
    else high = middle
  }
  return low - 1
}

/** The same for rows of four words, most significant first. */
export function lastWideStartAtOrBelow(starts: Uint32Array, words: readonly number[]): number {
  let low = 0
  let high = starts.length >>> 2
  while (low < high) {
    const middle = (low + high) >>> 1
    if (compareRow(starts, middle, words) <= 0) low = middle + 1
    else high = middle
  }
  return low - 1
}

/** Negative, 0 or positive as the row's address is below, equal to or above the words. */
export function compareRow(addresses: Uint32Array, row: number, words: readonly number[]): number {
  for (let word = 0; word < words.length; word++) {
    const difference = (addresses[row * words.length + word] ?? 0) - (words[word] ?? 0)
    if (difference !== 0) return difference
  }
  return 0
}
