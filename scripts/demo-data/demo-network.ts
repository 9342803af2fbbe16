import type { VisitState } from '../../bench/identity/population/device.ts'
import {
  type NetworkEvidence,
  NO_CONNECTION_EVIDENCE,
  NO_FOLLOW_UP_EVIDENCE,
  observed,
  type SynFacts,
  type TurnSighting,
  unavailable,
} from '../../packages/server/src/visit/network-evidence.ts'
import type { PlannedVisit } from './planned-visit.ts'

type Stack = Pick<SynFacts, 'ttl' | 'window' | 'options' | 'windowScale'>

/** The TCP options of each system, in the orders that `enrich/network-stack.ts` knows. */
const LINUX: Stack = { ttl: 51, window: 64_240, options: '2-4-8-1-3', windowScale: 7 }
const APPLE: Stack = { ttl: 50, window: 65_535, options: '2-1-3-1-1-8-4-0-0', windowScale: 6 }
const STACKS: Record<VisitState['hardware']['system'], Stack> = {
  Windows: { ttl: 115, window: 64_240, options: '2-1-3-1-1-4', windowScale: 8 },
  Linux: LINUX,
  ChromeOS: LINUX,
  Android: { ...LINUX, window: 65_535, windowScale: 9 },
  macOS: APPLE,
  iOS: APPLE,
}
const MSS_DIRECT = 1_460
const MSS_TUNNEL = 1_380

/** What the server sees before a check reports. */
export const firstEvidence = ({ actor, state }: PlannedVisit): NetworkEvidence => ({
  ...NO_CONNECTION_EVIDENCE,
  ...NO_FOLLOW_UP_EVIDENCE,
  tls: unavailable('plain_http'),
  syn: observed('kernel', {
    raw: '',
    ipVersion: 4,
    mss: actor === 'vpn' ? MSS_TUNNEL : MSS_DIRECT,
    // Tor exits are servers and open the connection themselves.
    ...(actor === 'tor' ? LINUX : STACKS[state.hardware.system]),
  }),
  tcpRoundTrip: observed('kernel', { minMs: roundTripMs(state.address) }),
})

/** The same after the network check and the round trips have reported. */
export function laterEvidence(visit: PlannedVisit, checkedAddress: string): NetworkEvidence {
  const minMs = roundTripMs(visit.state.address)
  const sighting: TurnSighting = {
    address: checkedAddress,
    port: 50_000 + (visit.atMs % 10_000),
    transport: 'udp',
    roundTripMs: minMs + 2,
    engine: visit.state.software.browser === 'Firefox' ? 'gecko' : 'libwebrtc',
  }
  return {
    ...firstEvidence(visit),
    turn: observed('turn', { sightings: [sighting], late: false }),
    roundTrip: observed('websocket', { applicationMinMs: minMs + 1.4, tcpMinMs: minMs, samples: 5 }),
    report: observed('websocket', { answered: true, outcome: 'complete' }),
  }
}

/** The distance of an address does not change. */
const roundTripMs = (address: string): number =>
  12 + (address.split('.').reduce((sum, octet) => sum + Number(octet), 0) % 90)
