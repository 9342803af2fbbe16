import { randomUUID } from 'node:crypto'
import { ALERT_EVENTS_MAX } from '@inkling/contract/account'
import type { Kysely, Selectable } from 'kysely'
import { MINUTE_MS } from '../../lib/durations.ts'
import type { AlertTable } from '../alert-tables.ts'
import type { Schema } from '../schema.ts'
import { type AlertRuleRow, alertRuleStore, channelsOf, isMuted } from './alert-rules.ts'

export type AlertRow = Selectable<AlertTable>

/** Something that a rule watches for. */
export interface NewAlertEvent {
  /** Names it among the events of a rule: an event with a known key is none. */
  key: string
  atMs: number
  requestId?: Uint8Array | undefined
  reference?: string | undefined
  text: string
  path: string
}

/** An alert that begins later than this was opened by a clock that was ahead. Those of nodes differ by less. */
const AHEAD_MS = MINUTE_MS
/** Of a statement, and of a transaction over alerts that end. */
const AT_ONCE = 200

/**
 * Adds events to the open alert of a rule, or opens one, whose first message is then due at once. Needs a transaction,
 * of which one runs at a time, so that an event is counted once and a rule has one open alert.
 */
export async function recordAlertEvents(
  transaction: Kysely<Schema>,
  rule: AlertRuleRow,
  events: readonly NewAlertEvent[],
  nowMs: number,
): Promise<void> {
  for (let from = 0; from < events.length; from += AT_ONCE)
    await recordSome(transaction, rule, events.slice(from, from + AT_ONCE), nowMs)
}

async function recordSome(
  transaction: Kysely<Schema>,
  rule: AlertRuleRow,
  events: readonly NewAlertEvent[],
  nowMs: number,
): Promise<void> {
  const fresh = await unknownEvents(transaction, rule, events)
  if (fresh.length === 0) return
  const open = await openAlert(transaction, rule, nowMs)
  const counted = fresh.slice(0, ALERT_EVENTS_MAX - (open?.events ?? 0))
  if (counted.length === 0) return
  const alert = open
    ? await extend(transaction, open, counted.length, nowMs)
    : await begin(transaction, rule, counted.length, nowMs)
  await transaction
    .insertInto('alert_events')
    .values(
      counted.map((event, index) => ({
        domain_id: rule.domain_id,
        rule_id: rule.id,
        source_key: event.key,
        alert_id: alert.id,
        position: alert.events - counted.length + index + 1,
        at: event.atMs,
        request_id: event.requestId ?? null,
        reference: event.reference ?? null,
        text: event.text,
        path: event.path,
      })),
    )
    .execute()
  if (!open && alert.muted === 0) await addMessages(transaction, rule, alert, 1, nowMs)
}

/** Those that the rule does not know. A job that looks at the same again and again asks before it writes. */
export async function unknownEvents<Event extends { key: string }>(
  db: Kysely<Schema>,
  rule: Pick<AlertRuleRow, 'domain_id' | 'id'>,
  events: readonly Event[],
): Promise<Event[]> {
  const byKey = new Map(events.map((event) => [event.key, event]))
  if (byKey.size === 0) return []
  const known = await db
    .selectFrom('alert_events')
    .select('source_key')
    .where('domain_id', '=', rule.domain_id)
    .where('rule_id', '=', rule.id)
    .where('source_key', 'in', [...byKey.keys()])
    .execute()
  for (const { source_key } of known) byKey.delete(source_key)
  return [...byKey.values()]
}

/**
 * The alert that takes further events. One that is over, that began before or during a mute, or that a clock opened which
 * was ahead, ends here: until that time its rule would be silent.
 */
async function openAlert(
  transaction: Kysely<Schema>,
  rule: AlertRuleRow,
  nowMs: number,
): Promise<AlertRow | undefined> {
  const open = await transaction
    .selectFrom('alerts')
    .selectAll()
    .where('domain_id', '=', rule.domain_id)
    .where('rule_id', '=', rule.id)
    .where('open', '=', 1)
    .executeTakeFirst()
  if (!open) return undefined
  const goesOn = open.ends_at > nowMs && open.first_at <= nowMs + AHEAD_MS
  if (goesOn && (open.muted === 1) === isMuted(rule, nowMs)) return open
  await endAlert(transaction, rule, open, nowMs)
  return undefined
}

const extend = (
  transaction: Kysely<Schema>,
  alert: AlertRow,
  events: number,
  nowMs: number,
): Promise<AlertRow> =>
  transaction
    .updateTable('alerts')
    .set({ events: alert.events + events, last_at: nowMs })
    .where('domain_id', '=', alert.domain_id)
    .where('id', '=', alert.id)
    .returningAll()
    .executeTakeFirstOrThrow()

const begin = (
  transaction: Kysely<Schema>,
  rule: AlertRuleRow,
  events: number,
  nowMs: number,
): Promise<AlertRow> =>
  transaction
    .insertInto('alerts')
    .values({
      domain_id: rule.domain_id,
      rule_id: rule.id,
      uid: randomUUID(),
      events,
      announced: events,
      first_at: nowMs,
      last_at: nowMs,
      ends_at: nowMs + rule.group_minutes * MINUTE_MS,
      open: 1,
      muted: isMuted(rule, nowMs) ? 1 : 0,
    })
    .returningAll()
    .executeTakeFirstOrThrow()

/** Ends an alert. What its first message had not is due as a summary, unless its rule is muted or off by now. */
async function endAlert(
  transaction: Kysely<Schema>,
  rule: AlertRuleRow | undefined,
  alert: AlertRow,
  nowMs: number,
): Promise<void> {
  await transaction
    .updateTable('alerts')
    .set({ open: 0 })
    .where('domain_id', '=', alert.domain_id)
    .where('id', '=', alert.id)
    .execute()
  const isSent = rule?.enabled === 1 && alert.muted === 0 && !isMuted(rule, nowMs)
  if (rule && isSent && alert.events > alert.announced) await addMessages(transaction, rule, alert, 2, nowMs)
}

async function addMessages(
  transaction: Kysely<Schema>,
  rule: AlertRuleRow,
  alert: AlertRow,
  part: 1 | 2,
  nowMs: number,
): Promise<void> {
  for (const channel_id of new Set(channelsOf(rule)))
    await transaction
      .insertInto('alert_deliveries')
      .values({
        ...{ domain_id: alert.domain_id, alert_id: alert.id, channel_id, part },
        ...{ attempts: 0, due_at: nowMs, sent_at: null, answer: null },
      })
      .execute()
}

/** Ends the alerts whose time is over, and those that a clock opened which was ahead. */
export async function endAlerts(writes: Kysely<Schema>, reads: Kysely<Schema>, nowMs: number): Promise<void> {
  const over = await reads
    .selectFrom('alerts')
    .select(['domain_id', 'id'])
    .where('open', '=', 1)
    .where(({ eb, or }) => or([eb('ends_at', '<=', nowMs), eb('first_at', '>', nowMs + AHEAD_MS)]))
    .orderBy('ends_at')
    .limit(AT_ONCE)
    .execute()
  for (const { domain_id, id } of over)
    await writes.transaction().execute(async (transaction) => {
      const alert = await transaction
        .selectFrom('alerts')
        .selectAll()
        .where('domain_id', '=', domain_id)
        .where('id', '=', id)
        .where('open', '=', 1)
        .executeTakeFirst()
      if (!alert) return
      await endAlert(
        transaction,
        await alertRuleStore(transaction).find(domain_id, alert.rule_id),
        alert,
        nowMs,
      )
    })
}
