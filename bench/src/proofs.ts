import { parseArgs } from 'node:util'
import { openEngine } from './engine/open-engine.ts'
import { addDomain } from './inkling/start-inkling.ts'
import { startNodes } from './inkling/start-nodes.ts'
import { describeMachine } from './lib/describe-machine.ts'
import { processorMs } from './lib/process-usage.ts'
import { median } from './lib/samples.ts'
import { openLane } from './load/open-lane.ts'
import { provenVisits } from './proofs/proven-visits.ts'

/** Processor time of the server for visits with and without ticket, digest and signature, in turns. */
const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '7' },
    /** Of each kind in a round. */
    visits: { type: 'string', default: '1500' },
  },
})
const rounds = Number(values.rounds)
const count = Number(values.visits)
const LANES = 16
/** Not counted: code is compiled and everybody comes for the first time. */
const WARM_UP_ROUNDS = 2

const engine = await openEngine({ name: 'sqlite', nodes: 1 })
const [place] = engine.places
const { public_key } = await addDomain(place, 'bench.example')
const inkling = await startNodes(engine.places)
const [port = 0] = inkling.ports
const visits = provenVisits({ port, publicKey: public_key })

/** Microseconds of the server's processor for each request. */
async function costOf(requests: readonly Buffer[]): Promise<number> {
  const lanes = await Promise.all(Array.from({ length: LANES }, () => openLane(port)))
  const waiting = requests.values()
  const beforeMs = await usedMs()
  await Promise.all(
    lanes.map(async (lane) => {
      for (const request of waiting) {
        const status = await lane.send(request)
        if (status !== 200) throw new Error(`answered with ${status}`)
      }
    }),
  )
  const spentMs = (await usedMs()) - beforeMs
  for (const lane of lanes) lane.close()
  return (spentMs * 1_000) / requests.length
}

const usedMs = async (): Promise<number> => (await processorMs(inkling.pids)) ?? Number.NaN

const costs: Record<'plain' | 'proven' | 'ticket', number[]> = { plain: [], proven: [], ticket: [] }
const many = <Made>(make: () => Made): Made[] => Array.from({ length: count }, make)
for (let round = -WARM_UP_ROUNDS; round < rounds; round++) {
  const kinds: [keyof typeof costs, Buffer[]][] = [
    ['plain', many(visits.plain)],
    ['proven', await Promise.all(many(visits.proven))],
    ['ticket', many(visits.ticket)],
  ]
  for (const [kind, requests] of round % 2 === 0 ? kinds : kinds.reverse()) {
    const cost = await costOf(requests)
    if (round >= 0) costs[kind].push(cost)
  }
}
await inkling.stop()
await engine.stop()

const [plain, proven, ticket] = [costs.plain, costs.proven, costs.ticket].map(median) as [
  number,
  number,
  number,
]
console.log(`${describeMachine()}; ${rounds} rounds of ${count}; medians in µs of processor time`)
console.table({
  'visit that proves nothing': Math.round(plain),
  'visit with ticket, digest and signature': Math.round(proven),
  'request for a ticket': Math.round(ticket),
  'more, %': Math.round(((proven + ticket) / plain - 1) * 100),
})
process.exit(0)
