import { type Explanation, type HistoryRow, NO_IPV4 } from '@inkling/contract'
import { isRecord } from '../../../evidence/plain-words.ts'

/** Something that the browser says of itself, beside what the server found. */
export interface Claim {
  topic: string
  claimed: string
  seen: string
  /** `unchecked` where the server had nothing to compare with. */
  state: 'agrees' | 'contradicts' | 'unchecked'
}

type Judged = Pick<Explanation, 'entries' | 'clear'>

interface ClaimSource {
  row: HistoryRow
  explanation: Judged
  snapshot: Record<string, unknown> | null
}

const NOT_SEEN = 'not seen'

/** What the browser claims, each beside what the server saw by itself. */
export function claimsOf({ row, explanation, snapshot }: ClaimSource): Claim[] {
  const os = evidenceOf(explanation, 'os_mismatch')
  const zone = evidenceOf(explanation, 'timezone_mismatch')
  return [
    {
      topic: 'Browser',
      claimed: named(row.browser),
      seen: bySignal(explanation, 'client_mismatch', {
        contradicts: 'a connection that another program wrote',
        agrees: 'a connection as that browser makes it',
      }),
      state: stateOf(explanation, 'client_mismatch'),
    },
    {
      topic: 'System',
      claimed: named(row.os),
      seen: bySignal(explanation, 'os_mismatch', {
        contradicts: `packets of ${text(os?.network_os) ?? 'another system'}`,
        agrees: 'packets of such a system',
      }),
      state: stateOf(explanation, 'os_mismatch'),
    },
    {
      topic: 'Time zone',
      claimed: text(zone?.browser_zone) ?? zoneIn(snapshot) ?? 'not said',
      seen: `an address in ${row.country === '' ? 'an unknown country' : row.country}`,
      state: stateOf(explanation, 'timezone_mismatch'),
    },
    {
      topic: 'Address',
      claimed: address(row.scanner_web_rtc_ip) ?? 'not said',
      seen: [...new Set([row.ip, address(row.web_rtc_ip)])].filter((ip) => ip).join(', then '),
      state: stateOf(explanation, 'ip_mismatch'),
    },
  ]
}

const evidenceOf = ({ entries }: Judged, name: string): Record<string, unknown> | undefined =>
  entries.find((entry) => entry.name === name)?.evidence

function stateOf({ entries, clear }: Judged, name: string): Claim['state'] {
  if (entries.some((entry) => entry.name === name)) return 'contradicts'
  return clear.includes(name) ? 'agrees' : 'unchecked'
}

const bySignal = (
  explanation: Judged,
  name: string,
  words: Record<Exclude<Claim['state'], 'unchecked'>, string>,
): string => {
  const state = stateOf(explanation, name)
  return state === 'unchecked' ? NOT_SEEN : words[state]
}

const text = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined

const named = (value: string): string => (value === '' ? 'not said' : value)

const address = (ip: string): string | undefined => (ip === NO_IPV4 || ip === '' ? undefined : ip)

/** The zone that the agent read, in a stored snapshot. */
function zoneIn(snapshot: Record<string, unknown> | null): string | undefined {
  const path = ['body', 'readings', 'timezone', 'value', 'name']
  return text(path.reduce<unknown>((part, name) => (isRecord(part) ? part[name] : undefined), snapshot))
}
