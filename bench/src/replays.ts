import { randomBytes, randomUUID } from 'node:crypto'
import { parseArgs } from 'node:util'
import { openEngine } from './engine/open-engine.ts'
import { addDomain } from './inkling/start-inkling.ts'
import { startNodes } from './inkling/start-nodes.ts'
import { describeMachine } from './lib/describe-machine.ts'
import { freePort } from './lib/free-port.ts'
import { openLane } from './load/open-lane.ts'
import { type ProvenVisits, provenVisits, type Ticketed } from './proofs/proven-visits.ts'

/** Sends copied bodies, used tickets and tampered ones to two nodes, and prints what the nodes took them for. */
const { values } = parseArgs({ options: { count: { type: 'string', default: '10000' } } })
/** Of replays, and as many of tampered tickets. */
const count = Number(values.count)
const LANES = 8
/** Visits whose tickets and bodies are sent again. */
const ORIGINALS = 100

const engine = await openEngine({ name: 'postgres', nodes: 2 })
const { public_key: publicKey } = await addDomain(engine.places[0], 'bench.example')
interface Node {
  port: number
  metricsPort: number
  visits: ProvenVisits
  stop(): Promise<void>
}

const nodes: Node[] = []
for (const place of engine.places) {
  const metricsPort = await freePort()
  const { ports, stop } = await startNodes([place], { settings: { METRICS_PORT: String(metricsPort) } })
  const [port = 0] = ports
  nodes.push({ port, stop, metricsPort, visits: provenVisits({ port, publicKey }) })
}
const nodeOf = (round: number) => nodes[round % nodes.length] as Node

/** Makes and sends requests, to both nodes in turns. */
async function send(total: number, make: (round: number) => Buffer | Promise<Buffer>): Promise<void> {
  const lanes = await Promise.all(Array.from({ length: LANES }, (_, lane) => openLane(nodeOf(lane).port)))
  const rounds = Array.from({ length: total }, (_, round) => round).values()
  await Promise.all(
    lanes.map(async (lane) => {
      for (const round of rounds) {
        const status = await lane.send(await make(round))
        if (status !== 200) throw new Error(`answered with ${status}`)
      }
    }),
  )
  for (const lane of lanes) lane.close()
}

/** What both nodes have taken the tickets of stored visits for. */
async function states(): Promise<Record<string, number>> {
  const found: Record<string, number> = {}
  for (const { metricsPort } of nodes) {
    const text = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text()
    for (const [, state = '', total] of text.matchAll(
      /^inkling_visit_tickets_total\{state="(\w+)"\} (\d+)$/gm,
    ))
      found[state] = (found[state] ?? 0) + Number(total)
  }
  return found
}

/** One bit changed, the parts of two tickets, other bytes, or a text that decodes to the same bytes. */
function tampered({ ticket, ...rest }: Ticketed, other: Ticketed, round: number): Ticketed {
  const bytes = Buffer.from(ticket, 'base64url')
  const bit = (round * 7) % (bytes.length * 8)
  bytes[bit >> 3] = (bytes[bit >> 3] ?? 0) ^ (1 << (bit & 7))
  const cut = 24 + (round % 60)
  const forms = [
    bytes.toString('base64url'),
    ticket.slice(0, cut) + other.ticket.slice(cut),
    randomBytes(bytes.length).toString('base64url'),
    `${ticket.slice(0, round % 96)}=${ticket.slice(round % 96)}`,
  ]
  return { ...rest, ticket: forms[round % 8 < 5 ? 0 : (round % 8) - 4] ?? '' }
}

const originals: { one: Ticketed; text: string }[] = []
for (let round = 0; round < ORIGINALS; round++) {
  const { visits } = nodeOf(round)
  const one = await visits.ticketed()
  originals.push({ one, text: visits.sealed(one) })
}
const originalOf = (round: number) => originals[round % ORIGINALS] as (typeof originals)[number]
const [{ visits }] = nodes as [Node]
await send(ORIGINALS, (round) => visits.posted(originalOf(round).one, originalOf(round).text))
const first = await states()

/** The body as it was, or a new one with the used ticket, which its owner's key signs again. */
await send(count, (round) => {
  const { one, text } = originalOf(round)
  const again = { ...one, requestId: randomUUID() }
  return visits.posted(again, round % 2 ? text : visits.sealed(again))
})
const afterReplays = await states()

/** Under the request ID that the genuine ticket is for. */
await send(count, async (round) => {
  const changed = tampered(await visits.ticketed(), originalOf(round).one, round)
  return visits.posted(changed, visits.sealed(changed))
})
const afterTampered = await states()
await Promise.all(nodes.map(({ stop }) => stop()))
await engine.stop()

const added = (before: Record<string, number>, after: Record<string, number>): Record<string, number> =>
  Object.fromEntries(
    Object.entries(after)
      .map(([state, total]) => [state, total - (before[state] ?? 0)] as const)
      .filter(([, total]) => total > 0),
  )
console.log(`${describeMachine()}; two nodes on PostgreSQL; visits by what their tickets were taken for`)
console.table({
  [`${ORIGINALS} genuine visits`]: first,
  [`${count} replays`]: added(first, afterReplays),
  [`${count} tampered tickets`]: added(afterReplays, afterTampered),
})
const proven = (afterTampered.valid ?? 0) - (first.valid ?? 0)
process.exit(proven === 0 && first.valid === ORIGINALS ? 0 : 1)
