import { DETECTION_FLAGS, type HistoryRow, NO_IPV4 } from '@inkling/contract'
import type { IdentificationList } from '@inkling/contract/account'

const KEPT = [
  'request_id',
  'created_at',
  'score',
  'user_hid',
  'device_id',
  'visitor_id',
  'session_id',
  'cookie_id',
  'ip',
  'country',
  'connection_type',
  'browser',
  'os',
  'device_type',
  'traffic_channel',
  'domain',
] as const satisfies readonly (keyof HistoryRow)[]

/** What the table shows of a row, which is all that it keeps. */
export type ListedRow = Pick<HistoryRow, (typeof KEPT)[number]> & {
  local_ip: string
  flags: readonly string[]
  /** How much is known of the visit, where that was judged. */
  evidence: number | undefined
  /** The agent that it declares. */
  agent: IdentificationList['agents'][string] | undefined
}

export const listedRows = ({ data, evidence, agents }: IdentificationList): ListedRow[] =>
  data.map((row) => ({
    ...(Object.fromEntries(KEPT.map((name) => [name, row[name]])) as Pick<HistoryRow, (typeof KEPT)[number]>),
    local_ip: localIpOf(row),
    flags: raisedFlags(row),
    evidence: evidence[row.request_id],
    agent: agents[row.request_id],
  }))

/** The address behind the public one: the one that the browser leaked, or else the one that the network check saw. */
export const localIpOf = ({ webrtc_leak_ip, web_rtc_ip }: HistoryRow): string =>
  webrtc_leak_ip === '' || webrtc_leak_ip === NO_IPV4 ? web_rtc_ip : webrtc_leak_ip

/** The flags that are set on a row. */
export const raisedFlags = (row: HistoryRow): string[] =>
  DETECTION_FLAGS.flatMap(({ flag, column }) => (column !== null && row[column] === true ? [flag] : []))
