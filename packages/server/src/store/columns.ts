/**
 * The tables whose rows are written in batches, column by column. Row types, SQLite's parameter lists and PostgreSQL's
 * array types all derive from these definitions: a new column is added here, in a migration of each engine, and where
 * its value comes from.
 */

type Kind = 'integer' | 'text' | 'bytes' | 'boolean' | 'real'
export type ColumnType = Kind | `${Kind} or null`
export type Columns = Readonly<Record<string, ColumnType>>

interface Values {
  integer: number
  text: string
  bytes: Uint8Array
  boolean: boolean
  real: number
}
type ValueOf<Type> = Type extends `${infer Nullable extends Kind} or null`
  ? Values[Nullable] | null
  : Type extends Kind
    ? Values[Type]
    : never

/** A row with these columns. */
export type RowOf<Definition extends Columns> = {
  -readonly [Name in keyof Definition]: ValueOf<Definition[Name]>
}

export const columnNames = <Definition extends Columns>(definition: Definition) =>
  Object.keys(definition) as (keyof Definition & string)[]

export const IDENTIFICATION = {
  domain_id: 'integer',
  /** NULL for the nil UUID of markers, so that every other one is unique. */
  request_id: 'bytes or null',
  session_id: 'bytes',
  cookie_id: 'bytes',
  device_id: 'bytes',
  visitor_id: 'bytes',
  user_hid: 'text',
  created_at: 'integer',
  ver: 'integer',
  host: 'text',
  ip: 'integer or null',
  /** An IPv6 address, 16 bytes; `ip` is NULL then. */
  ip6: 'bytes or null',
  os: 'text',
  browser: 'text',
  device_type: 'text',
  country: 'text or null',
  connection_type: 'text',
  score: 'integer',
  /** One bit per detection flag, in the order of the contract's list. */
  flags: 'integer',
  /** JSON of the verdict: entries with evidence, clear and unknown signals, identity components. */
  verdict: 'text',
  web_rtc_ip: 'integer or null',
  web_rtc_country: 'text or null',
  web_rtc_connection_type: 'text or null',
  scanner_web_rtc_ip: 'integer or null',
  scanner_web_rtc_country: 'text or null',
  scanner_web_rtc_connection_type: 'text or null',
  webrtc_leak_ip: 'integer or null',
  webrtc_leak_country: 'text or null',
  webrtc_leak_connection_type: 'text or null',
  webrtc_leak_source: 'text or null',
  tcp_mss: 'integer or null',
  mtu_value: 'integer or null',
  mtu_hint: 'text or null',
  stun_request_seen: 'integer or null',
  is_scanner_stun_passed: 'integer or null',
  stun_flow_status: 'text or null',
  entry_url: 'text or null',
  utm_source: 'text or null',
  utm_medium: 'text or null',
  utm_campaign: 'text or null',
  utm_content: 'text or null',
  utm_term: 'text or null',
  traffic_channel: 'text or null',
  traffic_channel_group: 'text or null',
  traffic_reason: 'text or null',
  referrer_domain: 'text or null',
  click_id_type: 'text or null',
  /** The program that the visit declares, and what is proven of it; NULL for all others. */
  agent_identity: 'text or null',
  agent_category: 'text or null',
  agent: 'text or null',
  /** The counts of its subjects right after it: see `velocity-column.ts`. NULL where it was not counted. */
  velocity: 'bytes or null',
  /** Estimate of what it takes on disk, with everything that belongs to it: see `stored-bytes.ts`. */
  bytes: 'integer or null',
} as const satisfies Columns

/** A strong verdict that applies to later visits of the same device from the same address. */
export const STICKY_VERDICT = {
  domain_id: 'integer',
  device_id: 'bytes',
  address: 'text',
  /** Hash of the cookie, where it applies to later visits with the same cookie only. */
  cookie_key: 'integer or null',
  /** Signal and description of the original score entry. */
  name: 'text',
  description: 'text',
  request_id: 'bytes',
  created_at: 'integer',
} as const satisfies Columns

/** An event to be sent. */
export const OUTBOX_ENTRY = {
  domain_id: 'integer',
  endpoint_id: 'integer',
  request_id: 'bytes',
  /** Stable across retries. */
  event_id: 'bytes',
  /** The exact bytes to send. */
  body: 'bytes',
  /** Sends so far. */
  attempts: 'integer',
  /** Until then the entry belongs to the process that wrote or claimed it. */
  due_at: 'integer',
} as const satisfies Columns

/** One attempt to send an event. */
export const DELIVERY = {
  domain_id: 'integer',
  endpoint_id: 'integer',
  request_id: 'bytes',
  event_id: 'bytes',
  event_type: 'text',
  /** 1 for the first send. */
  attempt: 'integer',
  sent_at: 'integer',
  duration_ms: 'integer',
  /** HTTP status; NULL without a response. */
  status: 'integer or null',
  /** Why there was no response. */
  error: 'text or null',
  /** What was sent, packed: see `packed-text.ts`. */
  body: 'bytes',
} as const satisfies Columns

/** An answer about a visit: see `DecisionTable`. */
export const DECISION = {
  domain_id: 'integer',
  request_id: 'bytes',
  purpose: 'text',
  idempotency_key: 'text or null',
  asked: 'bytes',
  account: 'text or null',
  client_address: 'text or null',
  question: 'text',
  answer: 'text',
  action: 'text',
  ver: 'integer',
  decided_at: 'integer',
} as const satisfies Columns

/** These identify the visit, or say what was so at its time, and never change; a refinement replaces all other columns. */
const IMMUTABLE: readonly string[] = [
  'domain_id',
  'request_id',
  'session_id',
  'cookie_id',
  'device_id',
  'visitor_id',
  'user_hid',
  'created_at',
  'velocity',
] satisfies (keyof typeof IDENTIFICATION)[]

export const REFINED_COLUMNS = columnNames(IDENTIFICATION).filter((name) => !IMMUTABLE.includes(name))
