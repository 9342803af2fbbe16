/**
 * Lookups per second of each contender. All take turns in every round, so that noise affects them equally.
 */
export function runRounds<Name extends string>(
  rounds: number,
  contenders: { [Each in Name]: { lookUp(address: string): unknown; addresses: readonly string[] } },
): { [Each in Name]: number[] } {
  const names = Object.keys(contenders) as Name[]
  const perSecond = Object.fromEntries(names.map((name) => [name, []])) as unknown as {
    [Each in Name]: number[]
  }
  // Warm-up: the first pass compiles the code and fills caches.
  for (let round = -1; round < rounds; round++) {
    for (const name of names) {
      const { lookUp, addresses } = contenders[name]
      const startedAt = performance.now()
      for (const address of addresses) lookUp(address)
      const seconds = (performance.now() - startedAt) / 1_000
      if (round >= 0) perSecond[name].push(addresses.length / seconds)
    }
  }
  return perSecond
}
