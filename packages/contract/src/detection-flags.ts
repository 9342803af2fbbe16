/**
 * The detection flags, the History column of each, and what each says. Everything that reads or writes
 * flags derives from this list: columns of a row, names in an event, bits in the store.
 *
 * The order is that of events, and the position of a flag is its bit in the store: add new flags at the end.
 */
export const DETECTION_FLAGS = [
  { flag: 'vpn', column: 'is_vpn', meaning: 'A VPN, on which independent checks agree' },
  { flag: 'privacy_relay', column: 'is_privacy_relay', meaning: 'A relay such as iCloud Private Relay' },
  { flag: 'browser_vpn_proxy', column: null, meaning: 'A tunnel that only the browser uses' },
  { flag: 'tor', column: 'is_tor', meaning: 'The Tor network' },
  { flag: 'proxy', column: 'is_proxy', meaning: 'A proxy' },
  { flag: 'datacenter_ip', column: 'is_datacenter', meaning: 'An address of a hosting network' },
  { flag: 'abuser', column: 'is_abuser', meaning: 'An address that public lists name for attacks or spam' },
  {
    flag: 'os_mismatch',
    column: 'is_os_mismatch',
    meaning: 'The operating system contradicts the network stack',
  },
  { flag: 'os_not_detected', column: 'is_os_not_detected', meaning: 'No known operating system' },
  {
    flag: 'timezone_mismatch',
    column: 'is_timezone_mismatch',
    meaning: 'The time zone of the browser contradicts the address',
  },
  {
    flag: 'anti_detect_browser',
    column: 'is_antidetect',
    meaning: 'A browser made to look like another one',
  },
  { flag: 'browser_automation', column: 'is_browser_automation', meaning: 'A browser driven by a program' },
  { flag: 'ip_mismatch', column: null, meaning: 'A leaked address differs from the public one' },
  { flag: 'incognito', column: 'is_incognito', meaning: 'A private window' },
  {
    flag: 'search_bot',
    column: 'is_search_bot',
    meaning: 'A crawler that proved its identity; its score is 0',
  },
  {
    flag: 'suspicious_paid_click',
    column: 'is_suspicious_paid_click',
    meaning: 'A paid click by a dangerous visitor',
  },
  { flag: 'javascript_disabled', column: 'is_js_disabled', meaning: 'No JavaScript ran' },
  { flag: 'stun_not_checked', column: 'is_stun_not_checked', meaning: 'The network check did not happen' },
  { flag: 'check_incomplete', column: 'check_incomplete', meaning: 'The browser check did not finish' },
] as const

export type DetectionFlag = (typeof DETECTION_FLAGS)[number]['flag']
type FlagColumn = Exclude<(typeof DETECTION_FLAGS)[number]['column'], null>
type FlagValues = Readonly<Record<DetectionFlag, boolean>>

/** The columns that every row has, in the order in which it sends them. */
export const FLAG_COLUMNS = [
  'is_vpn',
  'is_tor',
  'is_proxy',
  'is_datacenter',
  'is_abuser',
  'is_privacy_relay',
  'is_stun_not_checked',
  'check_incomplete',
  'is_antidetect',
  'is_os_mismatch',
  'is_os_not_detected',
  'is_timezone_mismatch',
  'is_js_disabled',
  'is_browser_automation',
  'is_incognito',
  'is_search_bot',
] as const satisfies readonly Exclude<FlagColumn, 'is_suspicious_paid_click'>[]
export type RowFlagColumn = (typeof FLAG_COLUMNS)[number]

const FLAG_OF_COLUMN = new Map(DETECTION_FLAGS.map(({ flag, column }) => [column, flag]))

/** The flag that a column carries. */
export function flagOfColumn(column: FlagColumn): DetectionFlag {
  const flag = FLAG_OF_COLUMN.get(column)
  if (flag === undefined) throw new TypeError(`no flag has the column ${column}`)
  return flag
}

export const NO_FLAGS: FlagValues = Object.freeze(
  Object.fromEntries(DETECTION_FLAGS.map(({ flag }) => [flag, false])) as FlagValues,
)

/** The columns of a row for its flags, in the order in which it sends them. */
export const columnsOfFlags = (flags: FlagValues): Record<RowFlagColumn, boolean> =>
  Object.fromEntries(FLAG_COLUMNS.map((column) => [column, flags[flagOfColumn(column)]])) as Record<
    RowFlagColumn,
    boolean
  >

/** Begins the informational score entry that carries the flag `ip_mismatch` in a row. */
export const IP_MISMATCH_ENTRY = 'IP ≠ leakIP'

type FlaggedRow = { [Column in FlagColumn]?: boolean | undefined } & { connection_type: string }

/**
 * The flags of a History row under the names that events use; a missing column reads as false.
 *
 * @param entries texts of the row's score entries
 */
export function flagsOfRow(row: FlaggedRow, entries: readonly string[]): Record<DetectionFlag, boolean> {
  const columns = DETECTION_FLAGS.flatMap(({ flag, column }) =>
    column === null ? [] : [[flag, row[column] === true]],
  )
  return {
    ...NO_FLAGS,
    ...Object.fromEntries(columns),
    browser_vpn_proxy: row.connection_type === 'browser_vpn_proxy',
    ip_mismatch: entries.some((entry) => entry.startsWith(IP_MISMATCH_ENTRY)),
  }
}
