import { DETECTION_FLAGS, type HistoryRow, SIGNAL_CATALOGUE } from '@inkling/contract'
import { namesAccount, namesOne, verdictOfRow } from '@inkling/sdk'

const BANDS = { trusted: 'below 30', suspicious: '30 to 59', dangerous: '60 or more' } as const

/** One identification with its signals and flags in words. */
export function presentVerdict(row: HistoryRow): object {
  const verdict = verdictOfRow(row)
  const about = { request_id: row.request_id, status: verdict.status, observed_at: row.created_at }
  const visit = presentVisit(row)
  if (verdict.status === 'rate_limited')
    return { ...about, meaning: 'its address sent too many; nothing is known of this visit', visit }
  return {
    ...about,
    score: verdict.score,
    band: `${verdict.band} (${BANDS[verdict.band]})`,
    signals: verdict.signals.map(({ name, weight }) => ({ name, points: weight, meaning: titleOf(name) })),
    flags: Object.fromEntries(
      DETECTION_FLAGS.filter(({ flag }) => verdict.flags[flag]).map(({ flag, meaning }) => [flag, meaning]),
    ),
    visit,
  }
}

/** What a list shows of one identification. */
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

/** The nil UUID stands for everybody without one. */
const named = (id: string): string | null => (namesOne(id) ? id : null)

/** A later release may send a name that this one does not know. */
const titleOf = (name: string): string =>
  (SIGNAL_CATALOGUE as Record<string, { title: string } | undefined>)[name]?.title ?? name
