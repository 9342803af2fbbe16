import type { LabelReach, LabelSubject, ListKind, ListName } from '@inkling/contract'
import type { IdentifierType } from './identifier.tsx'

export const LIST_LABELS: Record<ListName, string> = { deny: 'Deny', allow: 'Allow', watch: 'Watch' }

export const KIND_LABELS: Record<ListKind, string> = {
  device: 'Device',
  visitor: 'Visitor',
  cookie: 'Cookie',
  session: 'Session',
  account: 'Account',
  address: 'IP address',
  local_address: 'Local IP',
  cidr: 'Network (CIDR)',
  asn: 'Autonomous system',
  country: 'Country',
  email_domain_hash: 'E-mail domain (SHA-256)',
}

/** What entries of lists call an identifier; a single request has no entry. */
export const KIND_OF_IDENTIFIER = {
  device_id: 'device',
  visitor_id: 'visitor',
  user_hid: 'account',
  ip: 'address',
  local_ip: 'local_address',
  cookie_id: 'cookie',
  session_id: 'session',
} as const satisfies Record<Exclude<IdentifierType, 'request_id'>, ListKind>

/** The other way round, for links to what an entry names; networks and the like have no page. */
export const IDENTIFIER_OF_KIND = Object.fromEntries(
  Object.entries(KIND_OF_IDENTIFIER).map(([type, kind]) => [kind, type]),
) as { [Kind in ListKind]?: IdentifierType }

export const SUBJECT_LABELS: Record<LabelSubject, string> = {
  request: 'This visit alone',
  device: 'Device',
  visitor: 'Visitor',
  cookie: 'Cookie',
  session: 'Session',
  account: 'Account',
  address: 'IP address',
  local_address: 'Local IP',
}

/** The same on a page that is about no visit of its own. */
export const LABELLED: Record<LabelSubject, string> = { ...SUBJECT_LABELS, request: 'Visit' }

export const REACH_WORDS: Record<LabelReach, string> = {
  direct: 'directly',
  same_device: 'over the device',
  same_account: 'over the account',
}
