import type { LabelReach, LabelSubject } from '@inkling/contract'
import { LABEL_REACHES, NIL_UUID, namesAccount } from '@inkling/contract'
import { ipv4ToText, ipv6ToText } from '../../lib/address.ts'
import { uuidToText } from '../../lib/uuid.ts'
import type { IdentificationRow } from '../identifications/identifications.ts'
import { requestIdText } from '../identifications/lookup.ts'

export interface StoredLabel {
  id: number
  /** `fraud`, `legitimate`, `chargeback`, or a kind of the customer's own. */
  kind: string
  subject: { type: LabelSubject; value: string }
  source: string
  /** When it became known, as its author says. */
  atMs: number
  note: string
  /** Who stored it. */
  author: string
}

export interface ReachedLabel {
  label: StoredLabel
  reach: LabelReach
}

/** The columns by which labels reach an identification. */
export type LabelledRow = Pick<
  IdentificationRow,
  | 'request_id'
  | 'session_id'
  | 'cookie_id'
  | 'device_id'
  | 'visitor_id'
  | 'user_hid'
  | 'ip'
  | 'ip6'
  | 'webrtc_leak_ip'
>

/** The labels of a domain, read once for any number of identifications. Both functions use memory only. */
export interface DomainLabels {
  /** Those that reach an identification in one of these ways, each once with its strongest, the newest first. */
  labelsOf(row: LabelledRow, reaches: readonly LabelReach[]): ReachedLabel[]
  /**
   * What they say of it: the strongest reach decides, then the newest label. Undefined where none of them says `fraud`,
   * `chargeback` or `legitimate`.
   */
  verdictOf(row: LabelledRow, reaches: readonly LabelReach[]): 'fraud' | 'legitimate' | undefined
}

/** Addresses are shared: what is said of one says nothing of the devices and accounts that were there. */
const SPREADING: ReadonlySet<LabelSubject> = new Set([
  'request',
  'device',
  'visitor',
  'cookie',
  'session',
  'account',
])

export const spreads = (type: LabelSubject): boolean => SPREADING.has(type)

/** The subjects that an identification has, without values that strangers share. */
export function subjectsOf(row: LabelledRow): Map<LabelSubject, string> {
  const subjects = new Map<LabelSubject, string>()
  const add = (type: LabelSubject, id: string) => {
    if (id !== NIL_UUID) subjects.set(type, id)
  }
  add('request', requestIdText(row.request_id))
  add('session', uuidToText(row.session_id))
  add('cookie', uuidToText(row.cookie_id))
  add('device', uuidToText(row.device_id))
  add('visitor', uuidToText(row.visitor_id))
  if (namesAccount(row.user_hid)) subjects.set('account', row.user_hid)
  if (row.ip !== null) subjects.set('address', ipv4ToText(row.ip))
  if (row.ip6 !== null) subjects.set('address', ipv6ToText(row.ip6))
  if (row.webrtc_leak_ip !== null) subjects.set('local_address', ipv4ToText(row.webrtc_leak_ip))
  return subjects
}

const MEANING: Partial<Record<string, 'fraud' | 'legitimate'>> = {
  fraud: 'fraud',
  chargeback: 'fraud',
  legitimate: 'legitimate',
}

/** @param reached the newest label first */
export function verdictOfLabels(
  reached: readonly ReachedLabel[],
  reaches: readonly LabelReach[],
): 'fraud' | 'legitimate' | undefined {
  const saying = reached.filter(({ label }) => MEANING[label.kind] !== undefined)
  for (const reach of LABEL_REACHES.filter((known) => reaches.includes(known))) {
    const strongest = saying.find((one) => one.reach === reach)
    if (strongest) return MEANING[strongest.label.kind]
  }
  return undefined
}

export const newestFirst = (a: ReachedLabel, b: ReachedLabel): number =>
  b.label.atMs - a.label.atMs || b.label.id - a.label.id
