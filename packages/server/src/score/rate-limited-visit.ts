import { NIL_UUID, NO_FLAGS, RATE_LIMIT_DESCRIPTION, RATE_LIMIT_SCORE } from '@inkling/contract'
import type { Recorded } from '../visit/identification.ts'
import { NO_NETWORK_CHECK } from '../visit/network-evidence.ts'
import type { Received } from '../visit/received.ts'

export type LimitedVisit = Pick<Received, 'domain' | 'requestId' | 'host' | 'address' | 'atMs'>

/** What is stored of a visit over the ingest limit: the address sent too much, and nothing else is known. */
export function rateLimitedVisit(visit: LimitedVisit): Recorded {
  return {
    ...visit,
    sessionId: NIL_UUID,
    cookieId: NIL_UUID,
    userHid: '-1',
    ip: {
      countryCode: undefined,
      country: '',
      timeZones: [],
      asn: undefined,
      organization: undefined,
      class: undefined,
      hosting: undefined,
      vpn: undefined,
      tor: undefined,
      privacyRelay: undefined,
      abuser: undefined,
      mobile: undefined,
    },
    client: {
      os: 'Unknown',
      osVersion: '',
      browser: 'Unknown',
      browserVersion: '',
      browserMajor: undefined,
      engine: '',
      deviceType: 'desktop',
      bot: undefined,
    },
    traffic: {
      channel: '',
      channelGroup: '',
      reason: '',
      referrerDomain: '',
      landingUrl: '',
      clickIdType: '',
      utmSource: '',
      utmMedium: '',
      utmCampaign: '',
      utmContent: '',
      utmTerm: '',
    },
    stack: { os: undefined, forged: false, mss: undefined, mtu: undefined, mtuHint: '' },
    check: NO_NETWORK_CHECK,
    identity: { deviceId: NIL_UUID, visitorId: NIL_UUID, components: [] },
    verdict: {
      score: RATE_LIMIT_SCORE,
      flags: { ...NO_FLAGS },
      entries: [
        {
          name: 'rate_limited',
          description: RATE_LIMIT_DESCRIPTION,
          weight: RATE_LIMIT_SCORE,
          value: RATE_LIMIT_SCORE,
          evidence: { address: visit.address },
        },
      ],
      clear: [],
      unknown: [],
      connectionType: 'unknown',
    },
  }
}
