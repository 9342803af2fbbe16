import {
  type FollowUpEvidence,
  type NetworkCheck,
  type NetworkEvidence,
  NO_NETWORK_CHECK,
  observed,
  type TurnSighting,
} from '../src/visit/network-evidence.ts'

export const sighting = (address: string): TurnSighting => ({
  address,
  port: 50_000,
  transport: 'udp',
  roundTripMs: 20,
  engine: 'libwebrtc',
})

export const turnEvidence = (address: string, late = false): FollowUpEvidence['turn'] =>
  observed('turn', { sightings: [sighting(address)], late })

export const roundTrips = (browserMs: number, tcpMs: number): FollowUpEvidence['roundTrip'] =>
  observed('websocket', { applicationMinMs: browserMs, tcpMinMs: tcpMs, samples: 5 })

export const tlsEvidence = (helloGapMs: number): NetworkEvidence['tls'] =>
  observed('tls', { ja4: 't13d1517h2_8daaf6152771_cb7bf5808d99', version: 'TLSv1.3', alpn: 'h2', helloGapMs })

export const sameAddress = (address: string): NetworkCheck => ({
  ...NO_NETWORK_CHECK,
  service: { address, country: 'Germany' },
  requestSeen: true,
  browserPassed: true,
  flowStatus: 'ok',
})

/** The packets of the check come from another address than the request. */
export const leak = (address: string, otherNetwork: boolean): NetworkCheck => ({
  ...sameAddress(address),
  leak: { address, country: 'Germany', otherNetwork },
})
