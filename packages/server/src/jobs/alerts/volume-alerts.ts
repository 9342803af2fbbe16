import type { AlertCondition } from '@inkling/contract/account'
import type { Kysely } from 'kysely'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../lib/durations.ts'
import { type AlertRuleRow, alertRuleStore, conditionOf, isSame } from '../../store/alerts/alert-rules.ts'
import { type NewAlertEvent, recordAlertEvents, unknownEvents } from '../../store/alerts/record-events.ts'
import { domainStore } from '../../store/domains/domains.ts'
import type { Schema } from '../../store/schema.ts'
import type { Store } from '../../store/store.ts'

/** The usual is the mean of the same hours, or of the days, of so many days before. */
const USUAL_DAYS = 7
/** Twice three visits say nothing. */
const TIMES_LEAST = 20
/** When the visits of an hour are all counted: late evidence is awaited first. */
const COUNTED_AFTER_MS = 10 * MINUTE_MS

type Volume = Extract<AlertCondition, { source: 'volume' }>

/** Tells the alert rules of hours and days with more or fewer visits than they want, each hour or day once. */
export async function recordVolumeAlerts(
  { jobReads, writes }: Pick<Store, 'jobReads' | 'writes'>,
  nowMs: number,
): Promise<void> {
  for (const rule of await alertRuleStore(jobReads).watching('volume')) {
    const when = conditionOf(rule)
    if (when.source !== 'volume') continue
    const domain = await domainStore(jobReads).findById(rule.domain_id)
    if (!domain) continue
    for (const startMs of spansToLookAt(when, rule, nowMs)) {
      const key = `volume:${when.of}:${when.within}:${when.is}:${startMs}`
      if ((await unknownEvents(jobReads, rule, [{ key }])).length === 0) continue
      const text = await findingOf(jobReads, rule, when, startMs)
      if (text === undefined) continue
      const event: NewAlertEvent = {
        key,
        atMs: nowMs,
        text,
        path: `/d/${domain.name}/overview`,
      }
      await writes.transaction().execute(async (transaction) => {
        const current = await alertRuleStore(transaction).find(rule.domain_id, rule.id)
        if (current && isSame(current, rule)) await recordAlertEvents(transaction, current, [event], nowMs)
      })
    }
  }
}

/** What is too much shows before the hour ends, what is too little only afterwards. */
function spansToLookAt(when: Volume, { watched_since }: AlertRuleRow, nowMs: number): number[] {
  const spanMs = when.within === 'hour' ? HOUR_MS : DAY_MS
  const current = nowMs - (nowMs % spanMs)
  const last = current - spanMs
  // Of an hour that began before somebody watched, the beginning may be missing.
  if (when.is === 'under') return nowMs >= current + COUNTED_AFTER_MS && last >= watched_since ? [last] : []
  return current > watched_since ? [last, current] : [current]
}

async function findingOf(
  db: Kysely<Schema>,
  { domain_id }: AlertRuleRow,
  when: Volume,
  startMs: number,
): Promise<string | undefined> {
  const spanMs = when.within === 'hour' ? HOUR_MS : DAY_MS
  const count = await countOf(db, domain_id, when, startMs)
  const what = `${count} ${when.of === 'dangerous' ? 'dangerous visits' : 'visits'} in the ${when.within} from ${new Date(startMs).toISOString()}`
  if (when.is === 'over') return count > when.value ? `${what}, more than ${when.value}` : undefined
  if (when.is === 'under') {
    if (count >= when.value || (await isBehind(db, startMs + spanMs))) return undefined
    return `${what}, fewer than ${when.value}`
  }
  if (count < TIMES_LEAST) return undefined
  let sum = 0
  for (let day = 1; day <= USUAL_DAYS; day += 1)
    sum += await countOf(db, domain_id, when, startMs - day * DAY_MS)
  const usual = sum / USUAL_DAYS
  if (usual === 0 || count <= usual * when.value) return undefined
  return `${what}, ${(count / usual).toFixed(1)} times the usual`
}

/** Visits that are counted for an hour or a day. */
async function countOf(
  db: Kysely<Schema>,
  domainId: number,
  { of, within }: Volume,
  startMs: number,
): Promise<number> {
  let rows = db
    .selectFrom('rollups')
    .where('domain_id', '=', domainId)
    .where('span_hours', '=', within === 'hour' ? 1 : 24)
    .where('dimension', '=', 'band')
    .where('start', '=', startMs)
  if (of === 'dangerous') rows = rows.where('value', '=', 'dangerous')
  const { count } = await rows
    .select(({ fn }) => fn.sum<number | null>('identifications').as('count'))
    .executeTakeFirstOrThrow()
  return Number(count ?? 0)
}

/** Whether visits from before a time are not counted yet: few visits mean nothing then. */
async function isBehind(db: Kysely<Schema>, beforeMs: number): Promise<boolean> {
  const row = await db
    .selectFrom('identifications')
    .select('id')
    .where('id', '>', ({ selectFrom }) => selectFrom('rollup_progress').select('last_id'))
    .where('created_at', '<', beforeMs)
    .orderBy('id')
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}
