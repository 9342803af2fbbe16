import type { AlertChannelKind, AlertSource } from '@inkling/contract/account'
import type { Generated } from 'kysely'

// Tables of alerts: where they are sent, what they are about, what happened, and what was sent.

/** A receiver of alerts. */
export interface AlertChannelTable {
  id: Generated<number>
  domain_id: number
  name: string
  kind: AlertChannelKind
  /** What people may see of the settings. */
  target: string
  /** 0 or 1: whether bodies are signed. */
  signed: number
  /** JSON of the contract's `AlertChannelSettings`. */
  sealed_settings: Uint8Array
  created_at: number
}

/** What alerts are sent about. */
export interface AlertRuleTable {
  id: Generated<number>
  domain_id: number
  name: string
  source: AlertSource
  /** JSON of the contract's `AlertCondition`. */
  condition: string
  /** JSON array of numbers of channels. */
  channels: string
  group_minutes: number
  /** 0 or 1. */
  enabled: number
  /** NULL if it was never muted. */
  muted_until: number | null
  /** Since when it has watched what it watches now; earlier events are none of its. */
  watched_since: number
  /** JSON: health checks that are bad, with the time when they were last; NULL before the first look. */
  bad_checks: string | null
  created_at: number
}

/** Events of a rule that are sent together. */
export interface AlertTable {
  id: Generated<number>
  domain_id: number
  rule_id: number
  /** Random UUID, by which receivers recognise its messages. */
  uid: string
  events: number
  /** How many of them the first message has. */
  announced: number
  first_at: number
  last_at: number
  /** When events stop joining it. */
  ends_at: number
  /** 0 or 1: whether events still join it. One of a rule is open. */
  open: number
  /** 0 or 1: whether its rule was muted when it began. */
  muted: number
}

/** What happened, once for each rule. */
export interface AlertEventTable {
  domain_id: number
  rule_id: number
  /** Names the event among those of its rule. */
  source_key: string
  alert_id: number
  /** Its place among the events of the alert, from 1. */
  position: number
  at: number
  /** The visit that it is about, with which it goes; NULL for none. */
  request_id: Uint8Array | null
  /** `finding:7` or `decision:7`, with which it goes; NULL for none. */
  reference: string | null
  /** What people read. It may name an account or a device. */
  text: string
  /** Where the dashboard shows it, below its base path. */
  path: string
}

/** A message of an alert to one channel. */
export interface AlertDeliveryTable {
  id: Generated<number>
  domain_id: number
  alert_id: number
  channel_id: number
  /** 1: at once; 2: the summary at the end. */
  part: number
  attempts: number
  /** When it is to be sent, or until when a process holds it; NULL once it was sent or has failed for good. */
  due_at: number | null
  sent_at: number | null
  /** What the receiver answered last. */
  answer: string | null
}

/** One row: decisions up to this number were looked at. */
export interface AlertCursorTable {
  id: number
  decision_id: number
}
