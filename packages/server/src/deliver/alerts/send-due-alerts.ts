import { MINUTE_MS } from '../../lib/durations.ts'
import type { SecretBox } from '../../lib/secret-box.ts'
import { type AlertDeliveryRow, alertDeliveryStore, alertStore } from '../../store/alerts/alert-deliveries.ts'
import { alertChannelStore, alertRuleStore, readSettings } from '../../store/alerts/alert-rules.ts'
import type { AlertRow } from '../../store/alerts/record-events.ts'
import { domainStore } from '../../store/domains/domains.ts'
import type { Store } from '../../store/store.ts'
import type { AlertMessage } from './alert-message.ts'
import type { AlertSend, AlertSender } from './alert-sender.ts'

/** How long a message belongs to the process that claimed it: longer than any send takes. */
const HOLD_MS = 2 * MINUTE_MS
/** Claimed, and sent at once. */
const CLAIM_MAX = 16
/** Events in a message. */
const LINES_MAX = 5
/** Attempts of a message, over about an hour: who is woken by an alert of yesterday? */
const ATTEMPTS_MAX = 7
const RETRY_FIRST_MS = 10_000
const RETRY_FACTOR = 3

export interface SendDueDeps {
  store: Pick<Store, 'reads' | 'claims'>
  secrets: Pick<SecretBox, 'open'>
  sender: Pick<AlertSender, 'send'>
  /** Public base URL of the dashboard. */
  dashboardUrl: string
  now(): number
  warn(message: string, error: unknown): void
  stopped?(): boolean
}

/**
 * Sends the messages that are due. Any process may do so: each is claimed by one. After a crash between sending and
 * recording, another attempt has the same ID.
 */
export async function sendDueAlerts(deps: SendDueDeps): Promise<void> {
  const { store, now, stopped = () => false } = deps
  while (!stopped() && (await alertDeliveryStore(store.reads).anyDue(now()))) {
    const claimed = await alertDeliveryStore(store.claims).claim(now(), now() + HOLD_MS, CLAIM_MAX)
    await Promise.all(claimed.map((row) => deliver(row, deps)))
    if (claimed.length < CLAIM_MAX) return
  }
}

async function deliver(row: AlertDeliveryRow, deps: SendDueDeps): Promise<void> {
  try {
    const sent = await sendOne(row, deps)
    await alertDeliveryStore(deps.store.claims).record(row, outcomeOf(row, sent, deps.now()))
  } catch (error) {
    // It is claimed again when the hold ends.
    deps.warn('an alert could not be sent', error)
  }
}

async function sendOne(row: AlertDeliveryRow, deps: SendDueDeps): Promise<AlertSend> {
  const { reads } = deps.store
  const [domain, channel, alert] = await Promise.all([
    domainStore(reads).findById(row.domain_id),
    alertChannelStore(reads).find(row.domain_id, row.channel_id),
    alertStore(reads).find(row.domain_id, row.alert_id),
  ])
  if (!domain || !channel || !alert) return gone
  const settings = readSettings(deps.secrets.open(channel.sealed_settings))
  const message = await messageOf(row, alert, domain.name, deps)
  return message ? deps.sender.send(settings, message) : gone
}

const gone: AlertSend = { delivered: false, answer: 'it was removed', retryable: false, durationMs: 0 }

async function messageOf(
  { part }: AlertDeliveryRow,
  alert: AlertRow,
  domain: string,
  { store, dashboardUrl }: SendDueDeps,
): Promise<AlertMessage | undefined> {
  const rule = await alertRuleStore(store.reads).find(alert.domain_id, alert.rule_id)
  if (!rule) return undefined
  const isSummary = part === 2
  const about = isSummary ? alert.events - alert.announced : alert.announced
  const skipped = isSummary ? alert.announced : 0
  const events = await alertStore(store.reads).events(alert.domain_id, alert.id, LINES_MAX, skipped)
  const lines = events.slice(0, about)
  return {
    id: `${alert.uid}.${part}`,
    alertId: alert.uid,
    type: isSummary ? 'alert.summary' : 'alert.opened',
    domain,
    rule: { id: rule.id, name: rule.name, source: rule.source },
    events: isSummary ? alert.events : alert.announced,
    firstAtMs: alert.first_at,
    lastAtMs: alert.last_at,
    lines: lines.map(({ at, text, path }) => ({ atMs: at, text, url: `${dashboardUrl}${path}` })),
    more: about - lines.length,
    url: `${dashboardUrl}/d/${domain}/alerts`,
  }
}

function outcomeOf({ attempts: before }: AlertDeliveryRow, sent: AlertSend, nowMs: number) {
  const attempts = before + 1
  const again = !sent.delivered && sent.retryable && attempts < ATTEMPTS_MAX
  return {
    attempts,
    due_at: again ? nowMs + RETRY_FIRST_MS * RETRY_FACTOR ** before : null,
    sent_at: sent.delivered ? nowMs : null,
    answer: sent.answer,
  }
}

/** The message of a test, which belongs to no alert. */
export const testMessage = (
  domain: string,
  { id, nowMs, dashboardUrl }: { id: string; nowMs: number; dashboardUrl: string },
): AlertMessage => ({
  id,
  alertId: id,
  type: 'alert.test',
  domain,
  rule: { id: 0, name: 'Test', source: 'health' },
  events: 0,
  firstAtMs: nowMs,
  lastAtMs: nowMs,
  lines: [],
  more: 0,
  url: `${dashboardUrl}/d/${domain}/alerts`,
})
