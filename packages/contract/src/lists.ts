/** A domain's lists, the strongest first. */
export const LIST_NAMES = ['deny', 'allow', 'watch'] as const
export type ListName = (typeof LIST_NAMES)[number]

/** What an entry of a list is about. */
export const LIST_KINDS = [
  'device',
  'visitor',
  'cookie',
  'session',
  'account',
  'address',
  'local_address',
  'cidr',
  'asn',
  'country',
  'email_domain_hash',
] as const
export type ListKind = (typeof LIST_KINDS)[number]

/** What a label is about. */
export const LABEL_SUBJECTS = [
  'request',
  'device',
  'visitor',
  'cookie',
  'session',
  'account',
  'address',
  'local_address',
] as const
export type LabelSubject = (typeof LABEL_SUBJECTS)[number]

/** `fraud`, `chargeback`, which counts as fraud, `legitimate`, and kinds of one's own, which count as neither. */
export const LABEL_KIND_PATTERN = /^[a-z][a-z0-9_]{0,39}$/

/**
 * How a label reaches an identification. `direct`: the identification has its subject; `same_device`, `same_account`: it
 * shares its device or account with one that has.
 */
export const LABEL_REACHES = ['direct', 'same_device', 'same_account'] as const
export type LabelReach = (typeof LABEL_REACHES)[number]
