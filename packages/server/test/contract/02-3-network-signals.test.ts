import { flagsOfRow, type HistoryRow, type IdentificationScored } from '@inkling/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Received } from '../../src/visit/received.ts'
import { ordinaryReadings, value } from '../identified.ts'
import { roundTrips, turnEvidence } from '../network.ts'
import { evidence, NO_PACKET, PACKETS } from './evidence.ts'
import { type ObservedVisits, startObservedVisits } from './observed-visits.ts'
import { LISTED } from './published-lists.ts'
import { ADDRESSES } from './roomy-settings.ts'

let visits: ObservedVisits
beforeAll(async () => {
  visits = await startObservedVisits()
})
afterAll(() => visits.close())

/** A visit in both read paths, whose flags are the same. */
async function observe(given: Partial<Received>) {
  const { row, data } = await visits.read(await visits.visit(given))
  const texts = detailsOf(row).map(([text]) => text)
  expect(flagsOfRow(row, texts), 'S1, S2: flags of the row and of the event').toEqual(data.detection_flags)
  const shown = row.webrtc_leak_source === 'none' ? row.web_rtc_ip : row.webrtc_leak_ip
  expect(data.local_ip.ip, 'S1, S5: address that the network check revealed').toBe(
    shown.replace(/^0\.0\.0\.0$/, ''),
  )
  return { row, data }
}

const detailsOf = (row: HistoryRow): [description: string, value: number][] =>
  JSON.parse(row.score_details || '[]').map(
    ({ Value, Description }: { Value: number; Description: string }) => [Description, Value],
  )
const raised = ({ detection_flags }: IdentificationScored['data']): string[] =>
  Object.entries(detection_flags).flatMap(([flag, set]) => (set ? [flag] : []))

const TOKYO = value({ name: 'Asia/Tokyo', offset_minutes: 540 })
const DRIVEN = value({ webdriver: true, markers: [] })
/** A Windows browser in Tokyo behind a distant Linux machine, which blocks the packets of the network check. */
const BEHIND_A_MACHINE = {
  readings: { ...ordinaryReadings(), timezone: TOKYO },
  network: evidence({ syn: PACKETS.linux, turn: NO_PACKET, roundTrip: roundTrips(190, 40) }),
}
const DRIVEN_BEHIND_A_MACHINE = {
  ...BEHIND_A_MACHINE,
  readings: { ...BEHIND_A_MACHINE.readings, automation: DRIVEN },
}

describe.each([
  ['S3.2 tor', 'tor', 99, 'Is tor', LISTED.tor],
  ['S3.3 privacy_relay', 'privacy_relay', 15, 'Is privacy relay', LISTED.relay],
] as const)('%s', (_rule, name, weight, description, address) => {
  test('suppresses the others, which stay in the details with Value 0', async () => {
    const { row, data } = await observe({ address, ...BEHIND_A_MACHINE })
    const [first, ...others] = detailsOf(row)
    expect(first).toEqual([description, weight])
    expect(others.map(([text]) => text)).toEqual(
      expect.arrayContaining(['Is proxy', 'Browser timezone ≠ IP-timezone', 'Stun is not checked']),
    )
    expect(others.filter(([, points]) => points !== 0)).toEqual([])
    expect([row.score, data.risk_score]).toEqual([weight, weight])
    expect(data.signals).toEqual([{ name, weight }])
    expect([row.connection_type, data.detection_flags[name]]).toEqual([name, true])
  })

  test('browser_automation still counts', async () => {
    const { row, data } = await observe({ address, ...DRIVEN_BEHIND_A_MACHINE })
    expect(data.signals.map((signal) => signal.name)).toEqual(['browser_automation', name])
    expect(row.score).toBe(Math.min(100, weight + 60))
  })
})

test('S9 a Tor visitor without JavaScript has only the signal javascript_disabled', async () => {
  const { data } = await observe({ address: LISTED.tor, via: 'noscript' })
  expect(data.signals).toEqual([{ name: 'javascript_disabled', weight: 90 }])
})

describe('S3.4 vpn', () => {
  test.each([
    ['the address data and the packet size', LISTED.vpn, PACKETS.windowsInTunnel, turnEvidence(LISTED.vpn)],
    ['the address data and the failed check', LISTED.vpn, PACKETS.windows, NO_PACKET],
    ['the packet size and the failed check', ADDRESSES.home, PACKETS.windowsInTunnel, NO_PACKET],
    ['the address data, where no TCP data exists', LISTED.vpn, undefined, turnEvidence(LISTED.vpn)],
    ['the failed check, where no TCP data exists', ADDRESSES.home, undefined, NO_PACKET],
  ])('is raised by %s', async (_checks, address, syn, turn) => {
    const { row, data } = await observe({ address, network: evidence({ turn, ...(syn && { syn }) }) })
    expect(detailsOf(row)[0]).toEqual(['Is VPN', 15])
    expect(data.signals).toEqual([{ name: 'vpn', weight: 15 }])
    expect(row).toMatchObject({ score: 15, is_vpn: true, connection_type: 'vpn' })
  })

  test.each([
    ['the address data', LISTED.vpn, PACKETS.windows, turnEvidence(LISTED.vpn)],
    ['the packet size', ADDRESSES.home, PACKETS.windowsInTunnel, turnEvidence(ADDRESSES.home)],
    ['the failed check', ADDRESSES.home, PACKETS.windows, NO_PACKET],
  ])('is not raised by %s alone if TCP data exists', async (_check, address, syn, turn) => {
    const { row, data } = await observe({ address, network: evidence({ syn, turn }) })
    expect([row.is_vpn, data.detection_flags.vpn]).toEqual([false, false])
    expect(row.score_details).not.toContain('Is VPN')
  })

  test('2.2 connection_type can be vpn while the flag is false', async () => {
    const { row } = await observe({ address: LISTED.vpn, network: evidence({ syn: PACKETS.windows }) })
    expect([row.connection_type, row.is_vpn]).toEqual(['vpn', false])
  })

  test('suppresses proxy, datacenter_ip, abuser, os_*, stun_* and timezone_mismatch', async () => {
    const network = { ...BEHIND_A_MACHINE.network, syn: PACKETS.linuxInTunnel }
    const { row, data } = await observe({ address: LISTED.vpn, ...BEHIND_A_MACHINE, network })
    expect(detailsOf(row)).toEqual([
      ['Is VPN', 15],
      ['Os_mismatch (Windows ≠ Linux)', 0],
      ['Is proxy', 0],
      ['Is datacenter', 0],
      ['Is abuser', 0],
      ['Browser timezone ≠ IP-timezone', 0],
      ['Stun is not checked', 0],
    ])
    expect(row.score).toBe(15)
    expect(data.signals).toEqual([{ name: 'vpn', weight: 15 }])
    const unnamed = { ...BEHIND_A_MACHINE.readings, user_agent: value('Something/1.0') }
    const other = await observe({ address: LISTED.vpn, readings: unnamed })
    expect(detailsOf(other.row)).toContainEqual(['UA OS is not detected', 0])
    expect(other.row.score).toBe(15)
  })

  test('browser_automation still adds points', async () => {
    const readings = { ...ordinaryReadings(), automation: DRIVEN }
    const { row } = await observe({ address: LISTED.vpn, readings })
    expect([row.score, row.is_vpn, row.is_browser_automation]).toEqual([75, true, true])
  })
})

describe('S3.5 browser_vpn_proxy', () => {
  test.each([
    ['a data center', LISTED.unlisted, ['Is datacenter']],
    ['an abuser', LISTED.abuser, ['Is datacenter', 'Is abuser']],
  ])(
    'is %s and a browser whose system is not the packets’, and stands in for what it causes',
    async (_kind, address, caused) => {
      const network = { ...BEHIND_A_MACHINE.network, turn: turnEvidence(address) }
      const { row, data } = await observe({ address, ...BEHIND_A_MACHINE, network })
      expect(detailsOf(row)).toEqual([
        ['Browser VPN/Proxy', 30],
        ['Os_mismatch (Windows ≠ Linux)', 0],
        ['Is proxy', 0],
        ...caused.map((text) => [text, 0]),
        ['Browser timezone ≠ IP-timezone', 0],
      ])
      expect(data.signals).toEqual([{ name: 'browser_vpn_proxy', weight: 30 }])
      expect(data.detection_flags.browser_vpn_proxy).toBe(true)
      expect(row).toMatchObject({ score: 30, connection_type: 'browser_vpn_proxy' })
    },
  )

  test('has neither entry nor flag beside vpn, and the connection is a VPN', async () => {
    const { row, data } = await observe({
      address: LISTED.vpn,
      network: evidence({ syn: PACKETS.linuxInTunnel }),
    })
    expect(row.score_details).not.toContain('Browser VPN/Proxy')
    expect(data.detection_flags).toMatchObject({ vpn: true, browser_vpn_proxy: false })
    expect([row.score, row.connection_type]).toEqual([15, 'vpn'])
  })

  test('S1 stays in the details without its flag beside tor, which is the connection_type', async () => {
    const { row, data } = await observe({ address: LISTED.tor, ...BEHIND_A_MACHINE })
    expect(detailsOf(row)).toContainEqual(['Browser VPN/Proxy', 0])
    expect(data.detection_flags.browser_vpn_proxy).toBe(false)
    expect(row.connection_type).toBe('tor')
  })

  test('is the connection_type where the address data says VPN and the signal vpn did not fire', async () => {
    const address = LISTED.vpn
    const network = evidence({ syn: PACKETS.linux, turn: turnEvidence(address) })
    const { row, data } = await observe({ address, network })
    expect(data.detection_flags).toMatchObject({ vpn: false, browser_vpn_proxy: true })
    expect([row.score, row.connection_type]).toEqual([30, 'browser_vpn_proxy'])
  })

  test('is not raised for a household, whose os_mismatch still counts', async () => {
    const { row, data } = await observe({
      address: ADDRESSES.home,
      network: evidence({ syn: PACKETS.linux }),
    })
    expect(detailsOf(row)).toEqual([['Os_mismatch (Windows ≠ Linux)', 60]])
    expect(raised(data)).toEqual(['os_mismatch'])
  })
})

test('S3.6 proxy, datacenter_ip and abuser add up', async () => {
  const address = LISTED.abuser
  const { row, data } = await observe({
    address,
    network: evidence({
      syn: PACKETS.windows,
      turn: turnEvidence(address),
      roundTrip: roundTrips(190, 40),
    }),
  })
  expect(data.signals).toEqual([
    { name: 'proxy', weight: 10 },
    { name: 'datacenter_ip', weight: 10 },
    { name: 'abuser', weight: 10 },
  ])
  expect(raised(data)).toEqual(['proxy', 'datacenter_ip', 'abuser'])
  expect([row.score, row.connection_type]).toEqual([30, 'proxy'])
})

describe('S3 IP ≠ leakIP', () => {
  const through = (real: string) =>
    observe({ address: ADDRESSES.home, network: evidence({ turn: turnEvidence(real) }) })

  test('is informational and carries the flag ip_mismatch', async () => {
    const { row, data } = await through('91.0.0.99')
    expect(detailsOf(row)).toEqual([['IP ≠ leakIP (91.0.0.1 ≠ 91.0.0.99, source=service)', 0]])
    expect([row.score, data.signals, raised(data)]).toEqual([0, [], ['ip_mismatch']])
  })

  test('a leaked address of another network is also a proxy', async () => {
    const { row, data } = await through('81.2.69.142')
    expect(detailsOf(row)).toEqual([
      ['Is proxy', 10],
      ['IP ≠ leakIP (91.0.0.1 ≠ 81.2.69.142, source=service)', 0],
    ])
    expect(raised(data)).toEqual(['proxy', 'ip_mismatch'])
  })

  test.each([
    ['127.0.0.1', 'a loopback address'],
    ['10.1.2.3', 'a private address'],
    ['198.51.100.7', 'an address for documentation'],
    ['2a00::1', 'an address of the other family'],
  ])('2.2 %s, %s, is no mismatch in the event, and none can be derived from the row', async (real) => {
    const { row, data } = await through(real)
    expect(data.detection_flags.ip_mismatch).toBe(false)
    expect(row).toMatchObject({
      web_rtc_ip: '0.0.0.0',
      web_rtc_country: '',
      web_rtc_connection_type: '',
      webrtc_leak_ip: '0.0.0.0',
      stun_request_seen: true,
    })
    expect(data.local_ip).toEqual({ ip: '', country: '' })
  })

  test('2.2 S5 with an IPv6 visitor no IPv4 address can be compared, in neither read path', async () => {
    const network = evidence({ turn: turnEvidence('91.0.0.99') })
    const { row, data } = await observe({ address: ADDRESSES.ipv6, network })
    expect([row.ip, row.web_rtc_ip]).toEqual(['0.0.0.0', '0.0.0.0'])
    expect([data.public_ip.ip, data.local_ip]).toEqual(['', { ip: '', country: '' }])
  })

  test('2.2 the same address as that of the request stays in the row', async () => {
    const { row, data } = await through(ADDRESSES.home)
    expect(data.detection_flags.ip_mismatch).toBe(false)
    expect(row).toMatchObject({ web_rtc_ip: ADDRESSES.home, web_rtc_connection_type: 'srflx' })
  })

  test('S1 S5 History and the event contain the leaked address and its country', async () => {
    const { row, data } = await through('81.2.69.142')
    expect(row).toMatchObject({
      ip: '91.0.0.1',
      web_rtc_ip: '81.2.69.142',
      webrtc_leak_ip: '81.2.69.142',
      webrtc_leak_country: 'United Kingdom',
      webrtc_leak_source: 'service',
    })
    expect(data.local_ip).toEqual({ ip: '81.2.69.142', country: 'United Kingdom' })
  })

  test('S5 without a leak local_ip is the address of the network check', async () => {
    const { row, data } = await through(ADDRESSES.home)
    expect(row).toMatchObject({ webrtc_leak_ip: '0.0.0.0', webrtc_leak_source: 'none' })
    expect(data.local_ip).toEqual({ ip: '91.0.0.1', country: 'Germany' })
    expect(raised(data)).toEqual([])
  })
})
