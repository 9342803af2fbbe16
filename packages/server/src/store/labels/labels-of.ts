import type { LabelReach, LabelSubject } from '@inkling/contract'
import type { IdentificationRow } from '../identifications/identifications.ts'

export interface StoredLabel {
  id: number
  /** `fraud`, `legitimate`, `chargeback`, or a kind of the customer's own. */
  kind: string
  subject: { type: LabelSubject; value: string }
  source: string
  /** When it was so, as its author says. */
  atMs: number
  note: string
  /** Who stored it. */
  actor: string
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
  /** Those that reach an identification in one of these ways, each once with its strongest. */
  labelsOf(row: LabelledRow, reaches: readonly LabelReach[]): ReachedLabel[]
  /**
   * What they say of it: the strongest reach decides, then the newest label. Undefined where none of them says `fraud`,
   * `chargeback` or `legitimate`.
   */
  verdictOf(row: LabelledRow, reaches: readonly LabelReach[]): 'fraud' | 'legitimate' | undefined
}
