/** Splits into the fewest rounds in which no two touch the same thing; those that do keep their order. */
export function inRounds<Item>(items: readonly Item[], touched: (item: Item) => readonly string[]): Item[][] {
  const rounds: Item[][] = []
  const lastRound = new Map<string, number>()
  for (const item of items) {
    const names = touched(item)
    const index = Math.max(-1, ...names.map((name) => lastRound.get(name) ?? -1)) + 1
    const round = rounds[index] ?? []
    rounds[index] = round
    round.push(item)
    for (const name of names) lastRound.set(name, index)
  }
  return rounds
}

export const hexOf = (bytes: Uint8Array): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('hex')
