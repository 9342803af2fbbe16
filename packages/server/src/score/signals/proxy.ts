import { clear, defineSignal, hit, unknown } from '../define-signal.ts'
import { roundTripGap } from '../round-trip-gap.ts'

export const proxy = defineSignal({
  name: 'proxy',
  title: 'Proxy',
  weight: 10,
  flag: 'proxy',
  meaning:
    'The browser is behind a proxy: it responds later than the end of its TCP connection, or its packets come from another network.',
  evidence:
    'The round trips of the browser and of its TCP connection, the time until its TLS hello, and the address that the network check saw.',
  innocentCauses: [
    'a company whose web gateway terminates every connection',
    'a satellite or mobile operator that terminates TCP connections to speed them up',
    'a visitor with two internet connections',
  ],
  test({ network, check }) {
    const gap = roundTripGap(network)
    const otherNetwork = check.service ? check.leak?.otherNetwork === true : undefined
    if (gap?.suspicious || otherNetwork)
      return hit('Is proxy', {
        ...(gap && { round_trip_gap_ms: gap.gapMs, browser_ms: gap.browserMs, connection_ms: gap.tcpMs }),
        ...(check.leak && { real_address: check.leak.address, real_country: check.leak.country }),
      })
    return gap || otherNetwork !== undefined ? clear : unknown
  },
})
