import { randomUUID } from 'node:crypto'
import { namesAccount, namesOne } from '@inkling/sdk'
import type { Kysely } from 'kysely'
import { changeOf, patternEvent } from '../../deliver/webhook-events.ts'
import { uuidBytesOrNil, uuidToText } from '../../lib/uuid.ts'
import { findingEventsId } from '../../store/forget-findings.ts'
import {
  type FindingChange,
  type FoundPattern,
  openFindings,
  recordFinding,
} from '../../store/pattern-findings.ts'
import {
  devicesOfAccount,
  type PatternEntityKey,
  patternRows,
  type StoredPatternRow,
} from '../../store/pattern-rows.ts'
import type { Schema } from '../../store/schema.ts'
import type { Store } from '../../store/store.ts'
import { type GradedPattern, gradePattern } from './grade-pattern.ts'
import { DAY_MS, groupRows, homeDevice, type PatternRow, type AccountHomes } from './pattern.ts'
import { LONGEST_WINDOW_MS, PATTERNS } from './patterns.ts'
import { namesOneEntity } from './run-patterns.ts'

/**
 * Looks for every pattern of an entity's kind and keeps what is found.
 * @returns how many grades changed
 */
export async function updateFindings(store: Store, key: PatternEntityKey, nowMs: number): Promise<number> {
  const rows = await readRows(store.jobReads, key, nowMs)
  const surroundings =
    key.type === 'device_id'
      ? await surroundingsOf(store.jobReads, key.domainId, rows, nowMs)
      : NO_SURROUNDINGS
  const open = new Set((await openFindings(store.jobReads, key)).map(({ pattern }) => pattern))
  let changes = 0
  for (const pattern of PATTERNS.filter(({ entity }) => entity === key.type)) {
    const judgement = gradePattern(pattern, rows, surroundings, nowMs)
    if (!judgement && !open.has(pattern.name)) continue
    const changed = await store.writes.transaction().execute(async (transaction) => {
      const change = await recordFinding(
        transaction,
        key,
        pattern.name,
        judgement && foundPattern(judgement),
        nowMs,
      )
      if (!change || changeOf(change.before, change.after) === undefined) return false
      await announce(transaction, change, nowMs)
      return true
    })
    if (changed) changes += 1
  }
  return changes
}

async function readRows(db: Kysely<Schema>, key: PatternEntityKey, nowMs: number): Promise<PatternRow[]> {
  if (!namesOneEntity(key)) return []
  return (await patternRows(db, key, nowMs - LONGEST_WINDOW_MS)).map(readRow)
}

const foundPattern = (judgement: GradedPattern): FoundPattern => ({
  grade: judgement.grade,
  count: judgement.count,
  suspicious_from: judgement.suspiciousFrom,
  dangerous_from: judgement.dangerousFrom,
  average_score: judgement.averageScore,
  first_at: judgement.firstAtMs,
  last_at: judgement.lastAtMs,
  rowIds: judgement.rowIds,
})

/** Leaves an event for each endpoint that asked for it, in the transaction that changed the grade. */
async function announce(transaction: Kysely<Schema>, change: FindingChange, nowMs: number): Promise<void> {
  const { id, domain_id } = change.after
  const endpoints = await transaction
    .selectFrom('endpoints')
    .innerJoin('domains', 'domains.id', 'endpoints.domain_id')
    .select(['endpoints.id', 'domains.name'])
    .where('endpoints.domain_id', '=', domain_id)
    .where('endpoints.enabled', '=', 1)
    .where('endpoints.pattern_events', '=', 1)
    .execute()
  const eventId = randomUUID()
  for (const endpoint of endpoints)
    await transaction
      .insertInto('outbox')
      .values({
        domain_id,
        endpoint_id: endpoint.id,
        request_id: findingEventsId(id),
        event_id: uuidBytesOrNil(eventId),
        body: patternEvent(change, { domain: endpoint.name, eventId, createdAtMs: nowMs }),
        attempts: 0,
        // Held by nobody: the next sweep of any process takes it.
        due_at: nowMs,
      })
      .execute()
}

const SCORE_MAX = 100

/** Connection types whose country is not where the visitor is. Hosting networks are reported as `proxy`. */
const HIDING: readonly string[] = ['vpn', 'proxy', 'tor', 'privacy_relay', 'browser_vpn_proxy']

export const readRow = (row: StoredPatternRow): PatternRow => ({
  id: row.id,
  atMs: row.created_at,
  deviceId: one(row.device_id),
  visitorId: one(row.visitor_id),
  cookieId: one(row.cookie_id),
  account: namesAccount(row.user_hid) ? row.user_hid : undefined,
  host: row.host,
  ip: row.ip ?? undefined,
  country: row.country ?? undefined,
  hidden: HIDING.includes(row.connection_type),
  score: row.score > SCORE_MAX ? undefined : row.score,
  leakedIp: row.webrtc_leak_ip ?? undefined,
})

function one(bytes: Uint8Array): string | undefined {
  const id = uuidToText(bytes)
  return namesOne(id) ? id : undefined
}

/** More than any grade asks for: the newest accounts of a device speak for the others. */
const ACCOUNTS_MAX = 100
const HOME_MS = 30 * DAY_MS

/** Reads where the accounts of a device are at home. */
export async function surroundingsOf(
  db: Kysely<Schema>,
  domainId: number,
  rows: readonly PatternRow[],
  nowMs: number,
): Promise<AccountHomes> {
  const homes = new Map<string, string>()
  for (const account of [...groupRows(rows, (row) => row.account).keys()].slice(0, ACCOUNTS_MAX)) {
    const devices = await devicesOfAccount(db, domainId, account, nowMs - HOME_MS)
    const home = homeDevice(devices.map(uuidToText).map((id) => (namesOne(id) ? id : undefined)))
    if (home !== undefined) homes.set(account, home)
  }
  return { homeOf: (account) => homes.get(account) }
}

export const NO_SURROUNDINGS: AccountHomes = { homeOf: () => undefined }
