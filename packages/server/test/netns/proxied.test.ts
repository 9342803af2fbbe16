import { expect } from 'vitest'
import { chromiumVisit } from './chromium-visit.ts'
import type { Visit } from './customer.ts'
import {
  clientOf,
  describeNamespaces,
  machine,
  sharedService,
  testInChromium,
} from './describe-namespaces.ts'
import type { Namespace } from './namespace.ts'
import { PROXY_PORT, startConnectProxy, startSocksProxy } from './programs.ts'
import { wire } from './wire.ts'

const CLIENT = '10.77.1.2'
const PROXY = '10.77.2.2'
const CLIENT_TO_PROXY = { roundTripMs: 100 }
const CLIENT_TO_SERVICE = { roundTripMs: 40 }
const PROXY_TO_SERVICE = { roundTripMs: 20 }
/** Half the latency to the proxy: more than a busy machine adds to a direct visit. */
const PLAIN_GAP_MS = 50

const BY_CONNECT = { start: startConnectProxy, args: [`--proxy-server=http://${PROXY}:${PROXY_PORT}`] }
const BY_SOCKS = { start: startSocksProxy, args: [`--proxy-server=socks5://${PROXY}:${PROXY_PORT}`] }

describeNamespaces('a visitor behind a proxy', () => {
  const service = sharedService({ tls: true })

  async function visitThrough(client: Namespace, { start, args }: typeof BY_CONNECT): Promise<Visit> {
    const proxy = await clientOf(service(), PROXY, PROXY_TO_SERVICE)
    await wire(client, proxy, CLIENT_TO_PROXY)
    await start(proxy)
    return chromiumVisit(client, service(), { args })
  }

  const helloGapMs = ({ explanation: { network } }: Visit) =>
    network.tls.available ? network.tls.value.helloGapMs : undefined
  const proxyEvidence = ({ explanation }: Visit) =>
    explanation.entries.find(({ name }) => name === 'proxy')?.evidence

  for (const [name, proxy] of Object.entries({ 'HTTP CONNECT': BY_CONNECT, SOCKS5: BY_SOCKS }))
    testInChromium(
      `of ${name} is recognised by its round trip, and the network check finds the real address`,
      async () => {
        const visit = await visitThrough(await clientOf(service(), CLIENT, CLIENT_TO_SERVICE), proxy)
        expect(visit.row).toMatchObject({
          ip: PROXY,
          score: 10,
          is_proxy: true,
          web_rtc_ip: CLIENT,
          webrtc_leak_ip: CLIENT,
          webrtc_leak_source: 'service',
        })
        expect(visit.explanation.entries.map(({ description, value }) => ({ description, value }))).toEqual([
          { description: 'Is proxy', value: 10 },
          { description: `IP ≠ leakIP (${PROXY} ≠ ${CLIENT}, source=service)`, value: 0 },
        ])
        expect(proxyEvidence(visit)).toMatchObject({ real_address: CLIENT })
        expect(proxyEvidence(visit)?.round_trip_gap_ms).toBeGreaterThan(PLAIN_GAP_MS)
        expect(helloGapMs(visit)).toBeGreaterThan(PLAIN_GAP_MS)
        expect(visit.explanation.network.turn).toMatchObject({
          value: {
            sightings: expect.arrayContaining([
              expect.objectContaining({ transport: 'udp', address: CLIENT }),
              expect.objectContaining({ transport: 'tcp', address: PROXY }),
            ]),
          },
        })
      },
    )

  testInChromium('that is the only route out is recognised by its round trip alone', async () => {
    const visit = await visitThrough(await machine(CLIENT), BY_SOCKS)
    expect(visit.explanation.entries).toMatchObject([{ description: 'Is proxy', value: 10 }])
    expect(proxyEvidence(visit)).not.toHaveProperty('real_address')
    expect(visit.row).toMatchObject({
      ip: PROXY,
      web_rtc_ip: PROXY,
      webrtc_leak_source: 'none',
      is_stun_not_checked: false,
    })
  })
})
