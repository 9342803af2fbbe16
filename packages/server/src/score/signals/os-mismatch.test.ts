import { expect, test } from 'vitest'
import { describeSignal } from '../../../test/describe-signal.ts'
import { identified, ordinaryReadings, value } from '../../../test/identified.ts'
import { roundTrips, tlsEvidence } from '../../../test/network.ts'
import { clientFacts } from '../../enrich/client-facts.ts'
import type { Identified } from '../../visit/identification.ts'
import { osMismatch } from './os-mismatch.ts'

const ordinary = identified()
const visit = (
  browserOs: string,
  networkOs: 'Windows' | 'Linux' | 'Apple' | undefined,
  { forged = false, ...given }: Partial<Identified> & { forged?: boolean } = {},
) =>
  identified({
    client: { ...ordinary.client, os: browserOs },
    ...given,
    stack: { ...ordinary.stack, os: networkOs, forged },
  })

const EDGE = { ...ordinary.ip, hosting: undefined, relayEdge: true as const }
const desktopPage = (agent: string) => {
  const userAgent = `Mozilla/5.0 (${agent}) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/112.0.0.0 Safari/537.36`
  const platform = value('Linux armv81')
  const hardware = value({ cores: 8, memory_gb: 8, max_touch_points: 5 })
  return {
    client: clientFacts({ userAgent, maxTouchPoints: 5, platform: platform.ok ? platform.value : '' }),
    readings: { ...ordinaryReadings(), user_agent: value(userAgent), platform, hardware },
  }
}

describeSignal(osMismatch, {
  hit: [
    ['a browser on Windows, packets of Linux', visit('Windows', 'Linux')],
    [
      'a browser on an iPhone behind a mobile network, whose packets of Linux are from as near as itself',
      visit('IOS (iPhone)', 'Linux', {
        ip: { ...ordinary.ip, mobile: true },
        network: { ...ordinary.network, roundTrip: roundTrips(40.8, 40.3), tls: tlsEvidence(1.2) },
      }),
    ],
    ['a browser on an iPhone, packets of Windows', visit('IOS (iPhone)', 'Windows')],
    ['packets of Linux with the TTL of Windows', visit('Windows', 'Linux', { forged: true })],
    [
      'a direct line, on which the browser answers as soon as its connection',
      visit('Windows', 'Linux', {
        network: { ...ordinary.network, roundTrip: roundTrips(40.8, 40.3), tls: tlsEvidence(1.2) },
      }),
    ],
    [
      'a proxy, before which the browser answers later than the connection',
      visit('Windows', 'Linux', {
        network: { ...ordinary.network, roundTrip: roundTrips(240, 35), tls: tlsEvidence(210) },
      }),
    ],
    [
      'a server of a data center in a network with relays',
      visit('Windows', 'Linux', { ip: { ...EDGE, hosting: true } }),
    ],
    [
      'Windows behind a modem in a mobile network that opens the connections',
      visit('Windows', 'Linux', {
        ip: { ...ordinary.ip, mobile: true },
        network: { ...ordinary.network, roundTrip: roundTrips(80, 30), tls: tlsEvidence(45) },
      }),
    ],
    [
      'a server that answers as late as through a satellite',
      visit('Windows', 'Linux', {
        ip: { ...ordinary.ip, hosting: true },
        network: { ...ordinary.network, roundTrip: roundTrips(650, 35), tls: tlsEvidence(610) },
      }),
    ],
    [
      'a tablet with Windows, packets of Linux',
      visit('Windows', 'Linux', {
        readings: {
          ...ordinaryReadings(),
          hardware: value({ cores: 8, memory_gb: 8, max_touch_points: 10 }),
        },
      }),
    ],
  ],
  clear: [
    ['Windows and Windows', visit('Windows', 'Windows')],
    ['Android has the Linux stack', visit('Android', 'Linux')],
    ['ChromeOS has the Linux stack', visit('ChromeOS', 'Linux')],
    ['iPad and Mac share a stack', visit('IOS (iPad)', 'Apple')],
    ['an iPhone behind a router that sets all TTLs to 128', visit('IOS (iPhone)', 'Apple', { forged: true })],
  ],
  unknown: [
    ['the packets were not seen', visit('Windows', undefined)],
    ['a system whose stack is not known', visit('Unknown', 'Linux')],
    ['an iPhone on Private Relay, whose list is not loaded', visit('IOS (iPhone)', 'Linux', { ip: EDGE })],
    [
      "Windows behind a browser's own relay, which no list names",
      visit('Windows', 'Linux', { ip: { ...EDGE, privacyRelay: false } }),
    ],
    [
      'Windows behind a satellite link that opens the connections of its customers',
      visit('Windows', 'Linux', {
        network: { ...ordinary.network, roundTrip: roundTrips(650, 35), tls: tlsEvidence(610) },
      }),
    ],
    [
      'an iPhone whose mobile operator opens the connections',
      visit('IOS (iPhone)', 'Linux', {
        ip: { ...ordinary.ip, mobile: true },
        network: { ...ordinary.network, roundTrip: roundTrips(80, 30), tls: tlsEvidence(45) },
      }),
    ],
    [
      'a phone whose browser asks for desktop pages as a Mac',
      visit('Mac OS X', 'Linux', desktopPage('Macintosh; Intel Mac OS X 10_11_6')),
    ],
    ['the same as Windows', visit('Windows', 'Linux', desktopPage('Windows NT 10.0; Win64; x64'))],
  ],
})

test('the description has the format that clients parse', () => {
  expect(osMismatch.test(visit('Windows', 'Linux'))).toMatchObject({
    description: 'Os_mismatch (Windows ≠ Linux)',
  })
})
