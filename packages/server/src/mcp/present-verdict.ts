import {
  BANDS,
  DETECTION_FLAGS,
  type ExplainedEntry,
  type Explanation,
  type HistoryRow,
  namesAccount,
  namesOne,
  signalTitle,
} from '@inkling/contract'
import { verdictOfRow } from '@inkling/sdk'

const BAND_RANGES = {
  trusted: `below ${BANDS.suspicious.from}`,
  suspicious: `${BANDS.suspicious.from} to ${BANDS.suspicious.to}`,
  dangerous: `${BANDS.dangerous.from} or more`,
} as const

/** One identification, with its signals and flags in words. */
export function presentVerdict(row: HistoryRow): object {
  const verdict = verdictOfRow(row)
  const about = { request_id: row.request_id, status: verdict.status, observed_at: row.created_at }
  const visit = presentVisit(row)
  if (verdict.status === 'rate_limited')
    return { ...about, meaning: 'its address sent too many; nothing is known of this visit', visit }
  return {
    ...about,
    score: verdict.score,
    band: `${verdict.band} (${BAND_RANGES[verdict.band]})`,
    signals: verdict.signals.map(({ name, weight }) => ({
      name,
      points: weight,
      meaning: signalTitle(name),
    })),
    flags: Object.fromEntries(
      DETECTION_FLAGS.filter(({ flag }) => verdict.flags[flag]).map(({ flag, meaning }) => [flag, meaning]),
    ),
    visit,
  }
}

/** One identification as an item of a list. */
export function presentBriefly(row: HistoryRow): object {
  const verdict = verdictOfRow(row)
  const { score, band, flags } = verdict.status === 'scored' ? verdict : NO_VERDICT
  return {
    request_id: row.request_id,
    observed_at: row.created_at,
    score,
    band,
    flags: DETECTION_FLAGS.filter(({ flag }) => flags?.[flag]).map(({ flag }) => flag),
    device_id: named(row.device_id),
    account: namesAccount(row.user_hid) ? row.user_hid : null,
    ip: row.ip,
    country: row.country,
    browser: row.browser,
    os: row.os,
  }
}

const NO_VERDICT = { score: null, band: 'rate_limited', flags: undefined } as const

const presentVisit = (row: HistoryRow): object => ({
  domain: row.domain,
  account: namesAccount(row.user_hid) ? row.user_hid : null,
  device_id: named(row.device_id),
  visitor_id: named(row.visitor_id),
  session_id: named(row.session_id),
  cookie_id: named(row.cookie_id),
  ip: row.ip,
  country: row.country,
  connection_type: row.connection_type,
  browser: row.browser,
  os: row.os,
  device_type: row.device_type,
  traffic_channel: row.traffic_channel,
})

/** Null for the nil UUID, which belongs to nobody. */
const named = (id: string): string | null => (namesOne(id) ? id : null)

/** An explanation under names that a model understands without its documentation. */
export function explanationInWords(explanation: Explanation): object {
  const { request_id, score, entries, clear, unknown, network, identity } = explanation
  const suppressed = entries.filter((entry) => entry.suppressed_by !== undefined)
  const counted = entries.filter((entry) => entry.suppressed_by === undefined)
  return {
    request_id,
    score,
    counted: counted.map(presentEntry),
    suppressed: suppressed.map((entry) => ({ ...presentEntry(entry), suppressed_by: entry.suppressed_by })),
    checked_and_fine: clear,
    unknown_for_missing_facts: unknown,
    network: network ?? 'no snapshot of this identification is kept',
    identity,
  }
}

const presentEntry = ({ name, title, value, weight, evidence }: ExplainedEntry): object => ({
  name,
  title,
  points: value,
  weight,
  evidence,
})
