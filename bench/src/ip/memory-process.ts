import { type Contender, inkling, maxmind } from './contenders.ts'
import { randomAddresses } from './random-addresses.ts'

/** Process for a single contender: prints its memory use as JSON. Needs `--expose-gc`. */

export interface Memory {
  /** Growth of the resident set size from before opening to after the lookups. */
  residentMb: number
  /** The part that is still referenced after a garbage collection. */
  heldMb: number
}

const contenders: Record<string, Contender<unknown>> = { inkling, maxmind }
const contender = contenders[process.argv[2] ?? '']
if (!contender) throw new Error('which contender?')
const addresses = randomAddresses(Number(process.argv[3]), 4, 1)

const before = memory()
const lookUp = await contender.open()
for (const address of addresses) lookUp(address)
const after = memory()
console.log(
  JSON.stringify({
    residentMb: after.resident - before.resident,
    heldMb: after.held - before.held,
  } satisfies Memory),
)
// Used after the measurement, so that it cannot be collected before.
lookUp(addresses.at(-1) ?? '')

/** Read right after the collection; pages of the young generation are still included. */
function memory(): { resident: number; held: number } {
  globalThis.gc?.()
  globalThis.gc?.()
  const { rss, heapUsed, external } = process.memoryUsage()
  return { resident: rss / 1e6, held: (heapUsed + external) / 1e6 }
}
