import { READINGS, type ReadingName, type ReportedReadings } from '@inkling/contract'
import { clientFacts } from '../../packages/server/src/enrich/client-facts.ts'
import { hash53 } from '../../packages/server/src/lib/hash53.ts'
import type { Fact, Readings } from '../../packages/server/src/visit/received.ts'
import type { LinkerInput } from './linker.ts'
import { readingsOf } from './population/readings-of.ts'
import type { Visit } from './population/visits.ts'

const NAMES = Object.keys(READINGS) as ReadingName[]
const MISSING: Fact<never> = { ok: false, why: 'missing' }
const DOMAIN = { id: 1, name: 'bench.example', namespace: '5d1c9a3e-6a1d-4c1b-9f0e-1a2b3c4d5e6f' }

/** A visit as the stages before `identify` produce it. */
export function linkerInput(visit: Visit): LinkerInput {
  const readings = factsOf(readingsOf(visit), visit.withheld)
  const { user_agent, client_hints, platform, hardware } = readings
  return {
    domain: DOMAIN,
    requestId: visit.cookieId,
    cookieId: visit.cookieId,
    userHid: 'anonymous',
    address: visit.address,
    atMs: visit.atMs,
    readings,
    // No database contains the addresses of the population.
    ip: { class: undefined, asn: visit.provider ? providerOf(visit.address) : undefined },
    client: clientFacts({
      userAgent: user_agent.ok ? user_agent.value : '',
      clientHints: client_hints.ok ? client_hints.value : undefined,
      platform: platform.ok ? platform.value : undefined,
      maxTouchPoints: hardware.ok ? hardware.value.max_touch_points : undefined,
    }),
  }
}

const factsOf = (reported: ReportedReadings, withheld: readonly ReadingName[] = []): Readings =>
  Object.fromEntries(
    NAMES.map((name) => [name, withheld.includes(name) ? MISSING : factOf(reported[name])]),
  ) as Readings

/** Providers of the population have neighbouring addresses. */
export const providerOf = (address: string): number =>
  hash53(
    address.includes(':')
      ? address.split(':').slice(0, 2).join(':')
      : address
          .split('.')
          .map((part, index) => (index === 2 ? Number(part) >> 7 : part))
          .slice(0, 3)
          .join('.'),
  ) % 400_000

function factOf(reading: ReportedReadings[ReadingName]): Fact<unknown> {
  if (!reading) return MISSING
  return 'value' in reading ? { ok: true, value: reading.value } : { ok: false, why: reading.error }
}
