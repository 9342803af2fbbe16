import type { Identified } from '../../visit/identification.ts'
import { clear, defineSignal, hit, unknown } from '../define-signal.ts'

/**
 * The browser answers a ping later than the kernel acknowledges a packet if the TCP connection ends at a proxy
 * before it. CalcuLatency finds proxies by the same difference:
 * https://www.usenix.org/conference/usenixsecurity24/presentation/ramesh. We measured 0.3 to 2.2 ms for direct
 * visits, jittery links included, and 11.6 ms for the nearest proxy.
 */
const GAP_MS_MIN = 8
const GAP_SHARE_MIN = 0.15
/** A proxy adds a whole round trip between accepting and the ClientHello. Direct visits need 1 to 9 ms. */
const HELLO_GAP_MS_MIN = 5
/** Without TLS nothing confirms the gap, so it must be larger. */
const PLAIN_GAP_MS_MIN = 20
const PLAIN_GAP_SHARE_MIN = 0.3

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

function roundTripGap({ roundTrip, tls }: Identified['network']) {
  if (!roundTrip.available) return undefined
  const { applicationMinMs, tcpMinMs } = roundTrip.value
  const gapMs = applicationMinMs - tcpMinMs
  const helloGapMs = tls.available ? tls.value.helloGapMs : undefined
  const suspicious =
    helloGapMs === undefined
      ? gapMs > Math.max(PLAIN_GAP_MS_MIN, applicationMinMs * PLAIN_GAP_SHARE_MIN)
      : gapMs > Math.max(GAP_MS_MIN, applicationMinMs * GAP_SHARE_MIN) && helloGapMs > HELLO_GAP_MS_MIN
  const rounded = (value: number) => Math.round(value * 10) / 10
  return { suspicious, gapMs: rounded(gapMs), browserMs: rounded(applicationMinMs), tcpMs: rounded(tcpMinMs) }
}
