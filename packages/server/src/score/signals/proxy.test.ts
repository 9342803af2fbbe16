import { describeSignal } from '../../../test/describe-signal.ts'
import { identified } from '../../../test/identified.ts'
import { leak, roundTrips, tlsEvidence } from '../../../test/network.ts'
import { proxy } from './proxy.ts'

const ordinary = identified()
const trips = (browserMs: number, tcpMs: number, helloGapMs?: number) =>
  identified({
    network: {
      ...ordinary.network,
      roundTrip: roundTrips(browserMs, tcpMs),
      ...(helloGapMs !== undefined && { tls: tlsEvidence(helloGapMs) }),
    },
  })

describeSignal(proxy, {
  hit: [
    // The three proxies of the measurement, the nearest first.
    ['a near proxy: 53.5 ms behind 41.2 ms', trips(53.5, 41.2, 15)],
    ['a CONNECT proxy: 141.3 ms behind 20.2 ms', trips(141.3, 20.2, 120.8)],
    ['a far proxy without TLS', trips(141.4, 20.2)],
    ['packets from another network', identified({ check: leak('198.51.100.7', true) })],
  ],
  clear: [
    ['direct: 40.8 ms and 40.3 ms', trips(40.8, 40.3, 1.2)],
    ['direct over a jittery link: 2.2 ms apart, slow hello', trips(54.9, 52.7, 8.5)],
    ['a gap that the hello does not confirm', trips(60, 41, 2)],
    ['a small gap without TLS', trips(30, 15)],
    ['another address of the same network', identified({ check: leak('91.0.9.9', false) })],
  ],
  unknown: [['no check has reported', ordinary]],
})
