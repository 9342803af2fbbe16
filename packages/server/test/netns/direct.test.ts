import { expect, test } from 'vitest'
import { chromiumVisit } from './chromium-visit.ts'
import type { Visit } from './customer.ts'
import {
  clientOf,
  describeNamespaces,
  sharedService,
  testInChromium,
  testInFirefox,
} from './describe-namespaces.ts'
import { firefoxVisit } from './firefox-visit.ts'
import type { Namespace } from './namespace.ts'
import { completeVisit } from './visitor.ts'

const ADDRESS = '10.77.1.2'
const LINE = { roundTripMs: 60 }
/** With TLS a smaller gap means a proxy; this one is large compared with the delays of a busy machine. */
const LONG_LINE = { roundTripMs: 120 }

const SEEN_DIRECTLY = { web_rtc_ip: ADDRESS, webrtc_leak_ip: '0.0.0.0', webrtc_leak_source: 'none' }
const sightings = ['udp', 'tcp'].map((transport) => ({ transport, address: ADDRESS, engine: 'libwebrtc' }))

const syn = ({ explanation }: Visit) =>
  explanation.network.syn.available ? explanation.network.syn.value : undefined

describeNamespaces('a direct visitor over HTTP', () => {
  const service = sharedService()

  testInChromium(
    'in Chromium scores 0 with no signal, and its line and address are seen as they are',
    async () => {
      const { row, explanation } = await chromiumVisit(await clientOf(service(), ADDRESS, LINE), service())
      expect(explanation.entries).toEqual([])
      expect(row).toMatchObject({
        ...SEEN_DIRECTLY,
        ip: ADDRESS,
        score: 0,
        tcp_mss: 1460,
        mtu_hint: 'direct',
        is_proxy: false,
      })
      expect(explanation.network.turn).toMatchObject({
        value: { sightings: expect.arrayContaining(sightings.map((seen) => expect.objectContaining(seen))) },
      })
      expect(explanation.network.roundTrip).toMatchObject({ available: true })
    },
  )

  testInFirefox(
    'in Firefox scores 0 with no signal, and its line and address are seen as they are',
    async () => {
      const { row, explanation } = await firefoxVisit(await clientOf(service(), ADDRESS, LINE), service())
      expect(explanation.entries).toEqual([])
      expect(row).toMatchObject({
        ...SEEN_DIRECTLY,
        ip: ADDRESS,
        browser: 'Firefox',
        score: 0,
        tcp_mss: 1460,
        mtu_hint: 'direct',
        is_proxy: false,
      })
      expect(explanation.network.turn).toMatchObject({
        value: {
          sightings: expect.arrayContaining([expect.objectContaining({ address: ADDRESS, engine: 'gecko' })]),
        },
      })
    },
  )

  testInChromium('behind an MTU of 1420 shows it and scores 0: one check of three is no VPN', async () => {
    const client = await clientOf(service(), ADDRESS, { ...LINE, mtu: 1420 })
    const visit = await chromiumVisit(client, service())
    expect(visit.explanation.entries).toEqual([])
    expect(visit.row).toMatchObject({
      score: 0,
      tcp_mss: 1380,
      mtu_value: 1420,
      mtu_hint: 'vpn_likely',
      is_vpn: false,
    })
    expect(syn(visit)).toMatchObject({ mss: 1380, options: '2-4-8-1-3' })
  })

  /** Two browsers on one Linux machine. */
  async function bothSystems(client: Namespace): Promise<Record<'linux' | 'windows', Visit>> {
    const [linux, windows] = await Promise.all([
      completeVisit(client, service(), { os: 'Linux' }),
      completeVisit(client, service(), { os: 'Windows' }),
    ])
    return { linux, windows }
  }

  test('contradicts its Linux packets if its browser claims Windows, but not if it claims Linux', async () => {
    const { linux, windows } = await bothSystems(await clientOf(service(), ADDRESS, LINE))
    expect(linux.explanation.entries).toEqual([])
    expect(linux.row).toMatchObject({ ...SEEN_DIRECTLY, score: 0, os: 'Linux' })
    expect(windows.row).toMatchObject({ score: 60, os: 'Windows', is_os_mismatch: true })
    expect(windows.explanation.entries).toMatchObject([
      { description: 'Os_mismatch (Windows ≠ Linux)', value: 60 },
    ])
  })

  test('with a TTL of 128, which routers set, contradicts another system alone', async () => {
    const client = await clientOf(service(), ADDRESS, LINE)
    await client.setSysctl('net/ipv4/ip_default_ttl', 128)
    const { linux, windows } = await bothSystems(client)
    for (const visit of [linux, windows]) expect(syn(visit)).toMatchObject({ ttl: 128, options: '2-4-8-1-3' })
    expect(linux.explanation.entries).toEqual([])
    expect(linux.row).toMatchObject({ score: 0, is_os_mismatch: false })
    expect(windows.row).toMatchObject({ score: 60, is_os_mismatch: true })
    expect(windows.explanation.entries).toMatchObject([
      { description: 'Os_mismatch (Windows ≠ changed network stack)', value: 60, evidence: { forged: true } },
    ])
  })
})

describeNamespaces('a direct visitor over TLS', () => {
  const service = sharedService({ tls: true })

  testInChromium('in Chromium scores 0 with no signal, and its TLS and HTTP/2 are seen', async () => {
    const { row, explanation } = await chromiumVisit(await clientOf(service(), ADDRESS, LONG_LINE), service())
    expect(explanation.entries).toEqual([])
    expect(row).toMatchObject({
      ...SEEN_DIRECTLY,
      score: 0,
      tcp_mss: 1460,
      mtu_hint: 'direct',
      is_proxy: false,
    })
    expect(explanation.network).toMatchObject({
      tls: {
        value: { ja4: expect.stringMatching(/^t13d\d{4}h2_/), alpn: 'h2', helloGapMs: expect.any(Number) },
      },
      http2: { value: { fingerprint: expect.stringContaining('m,a,s,p') } },
    })
  })
})
