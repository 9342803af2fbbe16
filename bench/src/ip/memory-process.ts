import { type Contender, inkling, maxmind } from './contenders.ts'
import { randomAddresses } from './random-addresses.ts'

/** A process for one contender alone: prints the memory it took, as JSON. Needs `--expose-gc`. */

export interface Memory {
  /** Growth of the resident set from before opening to after the lookups. */
  residentMb: number
  /** Of that, what is held: objects and buffers that a collection leaves. */
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
// Used after the measurement, so that nothing of it could be collected before.
lookUp(addresses.at(-1) ?? '')

/** Read at once after the collection: pages of the young generation, which any work fills, are still counted. */
function memory(): { resident: number; held: number } {
  globalThis.gc?.()
  globalThis.gc?.()
  const { rss, heapUsed, external } = process.memoryUsage()
  return { resident: rss / 1e6, held: (heapUsed + external) / 1e6 }
}
