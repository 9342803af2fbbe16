import type { Coverage, Identified } from '../visit/identification.ts'
import { expectedEngine } from './client/mismatch-indicators.ts'
import { isEngine, tlsClient } from './client/tls-clients.ts'
import { isLateReading } from './follow-up-channel.ts'

interface Source {
  /** Its name in the explanation. */
  name: string
  /** Of 100. What the server sees itself weighs more than what a body claims. */
  weight: number
  /** How much of it is known and proven, 0 to 1. */
  known(identified: Identified): number
}

/** Every source of evidence. docs/scoring.md has the table with what each means. */
const SOURCES: readonly Source[] = [
  { name: 'ticket', weight: 20, known: ticket },
  { name: 'device_key', weight: 15, known: deviceKey },
  { name: 'tls', weight: 15, known: tls },
  { name: 'readings', weight: 15, known: readings },
  { name: 'network_check', weight: 10, known: ({ network }) => Number(network.turn.available) },
  { name: 'first_packet', weight: 10, known: ({ network }) => Number(network.syn.available) },
  { name: 'headers', weight: 5, known: headers },
  { name: 'round_trips', weight: 5, known: ({ network }) => Number(network.roundTrip.available) },
  {
    name: 'late_readings',
    weight: 5,
    known: ({ late, readings: { worker } }) => Number(late !== undefined && worker.ok),
  },
]

/** How much of what could be known of the visit was known and proven. It changes no score. */
export function coverage(identified: Identified): Coverage {
  const sources = SOURCES.map(({ name, weight, known }) => ({
    name,
    weight,
    known: round(known(identified)),
  }))
  const sum = sources.reduce((total, { weight, known }) => total + weight * known, 0)
  return { evidence: round(sum / 100), sources }
}

const round = (share: number): number => Math.round(share * 100) / 100

/** A page that was left early has no time to bind its body. */
function ticket({ proof }: Identified): number {
  if (proof?.ticket.state !== 'valid') return 0
  return proof.body === 'bound' ? 1 : 0.5
}

/** A key that was seen before proves more than one that anybody may have made a moment ago. */
function deviceKey({ proof, identity: { decision } }: Identified): number {
  if (proof?.key.state !== 'proven') return 0
  return decision?.keyHistory === 'same' ? 1 : 0.6
}

function tls(identified: Identified): number {
  const observed = identified.network.tls
  const expected = expectedEngine(identified)
  if (!observed.available) return 0
  const client = tlsClient(observed.value)
  if (isEngine(client)) return client.engine === expected ? 1 : 0
  return client === 'other' && observed.value.usual === true ? 1 : 0
}

function headers({ headers: { contradictions }, network }: Identified): number {
  return network.headers.available && contradictions.length === 0 ? 1 : 0
}

function readings({ readings: all }: Identified): number {
  const facts = Object.entries(all).flatMap(([name, fact]) => (isLateReading(name) ? [] : [fact]))
  return facts.filter(({ ok }) => ok).length / facts.length
}
