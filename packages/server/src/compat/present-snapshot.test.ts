import { LegacySnapshot } from '@inkling/contract'
import { expect, test } from 'vitest'
import { identified } from '../../test/identified.ts'
import { score } from '../score/score.ts'
import { identificationRow } from '../store/identifications/identification-row.ts'
import { presentSnapshot } from './present-snapshot.ts'

const visit = identified()
const row = { id: 1, ...identificationRow(score(visit)) }

test('a snapshot has exactly the fields of the contract', () => {
  expect(LegacySnapshot.strict().parse(presentSnapshot(row))).toEqual({
    RequestID: visit.requestId,
    SessionID: visit.sessionId,
    CookieID: visit.cookieId,
    DeviceID: visit.identity.deviceId,
    VisitorID: visit.identity.visitorId,
    IP: '91.0.0.1',
    OS: 'Windows',
    Browser: 'Chrome',
    DeviceType: 'desktop',
    Country: 'Germany',
    UserHID: 'anonymous',
    ConnectionType: 'direct',
    WebRtcConnectionType: '',
    WebRtcCountry: '',
    WebRtcHIP: '',
    TcpMss: 0,
    MtuValue: 0,
    MtuHint: '',
    Score: 0,
    Details: [],
    LastRequestTime: '2026-11-20T12:00:00.000Z',
  })
})

test('a snapshot has the result of the network check', () => {
  const checked = {
    ...row,
    web_rtc_ip: 0xc6336407,
    webrtc_leak_ip: 0xc6336407,
    web_rtc_country: 'France',
    web_rtc_connection_type: 'srflx',
    tcp_mss: 1_380,
    mtu_value: 1_420,
    mtu_hint: 'vpn_likely',
  }
  expect(presentSnapshot(checked)).toMatchObject({
    WebRtcHIP: '198.51.100.7',
    WebRtcCountry: 'France',
    WebRtcConnectionType: 'srflx',
    TcpMss: 1_380,
    MtuValue: 1_420,
    MtuHint: 'vpn_likely',
  })
})

test('a snapshot names no address that cannot be compared with its own', () => {
  const checked = {
    ...row,
    web_rtc_ip: 0x0a000001,
    web_rtc_country: 'France',
    web_rtc_connection_type: 'srflx',
  }
  expect(presentSnapshot(checked)).toMatchObject({
    WebRtcHIP: '',
    WebRtcCountry: '',
    WebRtcConnectionType: '',
  })
})

test('details are the score’s entries', () => {
  const automated = score(identified({ via: 'noscript' }))
  expect(presentSnapshot({ id: 1, ...identificationRow(automated) }).Details).toEqual([
    { Value: 90, Description: 'JavaScript disabled' },
  ])
})
