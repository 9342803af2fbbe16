import {
  type NetworkEvidence,
  observed,
  type SynFacts,
  unavailable,
} from '../../src/visit/network-evidence.ts'
import { identified } from '../identified.ts'

/** The network evidence of an ordinary visit, some of it replaced. */
export const evidence = (given: Partial<NetworkEvidence>): NetworkEvidence => ({
  ...identified().network,
  ...given,
})

const WINDOWS: SynFacts = {
  raw: '',
  ipVersion: 4,
  ttl: 116,
  window: 64_240,
  options: '2-1-3-1-1-4',
  mss: 1_460,
  windowScale: 8,
}
const LINUX: SynFacts = { ...WINDOWS, ttl: 52, options: '2-4-8-1-3' }
/** WireGuard leaves an MTU of 1420. */
const TUNNEL = { mss: 1_380, window: 10 * 1_380 }

/** First packets, by their sender's system and path. */
export const PACKETS = {
  windows: observed('kernel', WINDOWS),
  windowsInTunnel: observed('kernel', { ...WINDOWS, ...TUNNEL }),
  linux: observed('kernel', LINUX),
  linuxInTunnel: observed('kernel', { ...LINUX, ...TUNNEL }),
}

/** The browser ran the network check, but none of its packets arrived. */
export const NO_PACKET = unavailable('no_packet')
