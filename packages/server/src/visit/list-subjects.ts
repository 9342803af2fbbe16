import type { Enriched, Identity } from './identification.ts'
import type { ListSubjects } from './list-match.ts'

/** What lists may say something about in a visit. */
export const listSubjects = (visit: Enriched & { identity: Identity }): ListSubjects => ({
  device: visit.identity.deviceId,
  visitor: visit.identity.visitorId,
  cookie: visit.cookieId,
  session: visit.sessionId,
  account: visit.userHid,
  isAccountClaimed: visit.account !== 'signed',
  address: visit.address,
  localAddress: visit.check.leak?.address,
  asn: visit.ip.asn,
  country: visit.ip.countryCode,
})
