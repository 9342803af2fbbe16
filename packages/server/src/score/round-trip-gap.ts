import type { Identified } from '../visit/identification.ts'

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

/** How much later than its connection the browser answers; undefined where it was not measured. */
export function roundTripGap({ roundTrip, tls }: Pick<Identified['network'], 'roundTrip' | 'tls'>) {
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
