import { namesAccount, namesOne } from '@inkling/sdk'
import type { Kysely } from 'kysely'
import { ipv4ToText } from '../../lib/ipv4-number.ts'
import { parseAddress } from '../../lib/parse-address.ts'
import { isPublicAddress } from '../../lib/public-address.ts'
import { uuidToText } from '../../lib/uuid.ts'
import {
  type CandidateType,
  candidates,
  type Piece,
  touchedEntities,
} from '../../store/pattern-candidates.ts'
import { moveCursor, nextPiece } from '../../store/pattern-cursor.ts'
import { findingsToRecheck } from '../../store/pattern-findings.ts'
import type { PatternEntityKey } from '../../store/pattern-rows.ts'
import type { Schema } from '../../store/schema.ts'
import type { Store } from '../../store/store.ts'
import { LONGEST_WINDOW_MS, PATTERNS } from './patterns.ts'
import { updateFindings } from './update-findings.ts'

/** Identifications between two moves of the cursor. */
const PIECE = 250
/** What a run leaves over when its time is up, the next one takes up. */
const RUN_MS_MAX = 30_000
const PIECES_MAX = 400
const RECHECKS_MAX = 1_000

export interface PatternRunOptions {
  /** Identifications younger than this wait: later evidence still changes them. */
  settledAfterMs: number
  now(): number
  stopped?(): boolean
}

export interface PatternRun {
  identifications: number
  /** Entities that were looked at closely. */
  entities: number
  /** Grades that changed. */
  changes: number
}

/** Looks for patterns on whatever had identifications since the last run, and on what was found before. */
export async function runPatterns(
  store: Store,
  { settledAfterMs, now, stopped = () => false }: PatternRunOptions,
): Promise<PatternRun> {
  const nowMs = now()
  const sinceMs = nowMs - LONGEST_WINDOW_MS
  const limits = { sinceMs, settledMs: nowMs - settledAfterMs, nowMs, limit: PIECE }
  const run: PatternRun = { identifications: 0, entities: 0, changes: 0 }
  // Everything that this run looks at was there at its beginning, so that once is enough.
  const seen = new Set<string>()
  const looked = new Set<string>()
  const startedMs = performance.now()
  const ended = (): boolean => stopped() || performance.now() - startedMs > RUN_MS_MAX

  async function look(key: PatternEntityKey): Promise<void> {
    if (looked.has(entityName(key))) return
    looked.add(entityName(key))
    run.entities += 1
    run.changes += await updateFindings(store, key, nowMs)
  }

  for (let pieces = 0; pieces < PIECES_MAX && !ended(); pieces += 1) {
    const piece = await nextPiece(store.jobReads, limits)
    if (!piece) break
    for await (const key of findCandidates(store.jobReads, piece, sinceMs, seen)) await look(key)
    await moveCursor(store.writes, piece.through)
    run.identifications += piece.through - piece.after
  }
  for (const finding of await findingsToRecheck(store.jobReads, nowMs, RECHECKS_MAX)) {
    if (ended()) break
    const type = PATTERNS.find(({ name }) => name === finding.pattern)?.entity
    if (type) await look({ domainId: finding.domain_id, type, value: finding.entity_value })
  }
  return run
}

/** Entities of one question to the database. */
const CHUNK = 200

const TYPES: readonly CandidateType[] = ['device_id', 'visitor_id', 'user_hid', 'local_ip']

/**
 * The entities of a piece that patterns are to be looked for on, a few at a time.
 * @param seen names of entities that were asked for before, which are left out; those of this piece are added
 */
export async function* findCandidates(
  db: Kysely<Schema>,
  piece: Piece,
  sinceMs: number,
  seen: Set<string>,
): AsyncGenerator<PatternEntityKey> {
  for (const type of TYPES) {
    const touched = (await touchedEntities(db, type, piece)).filter(({ domain_id, value }) => {
      const key = entityKey(domain_id, type, value)
      const name = entityName(key)
      if (seen.has(name) || !namesOneEntity(key)) return false
      seen.add(name)
      return true
    })
    for (const [domainId, those] of Map.groupBy(touched, ({ domain_id }) => domain_id))
      for (let from = 0; from < those.length; from += CHUNK) {
        const values = those.slice(from, from + CHUNK).map(({ value }) => value)
        for (const value of await candidates(db, type, { domainId, values, sinceMs }))
          yield entityKey(domainId, type, value)
      }
  }
}

/** Under which an entity is remembered as seen. */
export const entityName = ({ domainId, type, value }: PatternEntityKey): string =>
  `${domainId} ${type} ${value}`

const entityKey = (
  domainId: number,
  type: CandidateType,
  value: Uint8Array | string | number,
): PatternEntityKey => ({ domainId, type, value: text(value) })

function text(value: Uint8Array | string | number): string {
  if (typeof value === 'string') return value
  return typeof value === 'number' ? ipv4ToText(value) : uuidToText(value)
}

/**
 * Whether a value tells one from others: no account that strangers share, no nil ID, and no private or
 * carrier-grade address, which every second home has.
 */
export function namesOneEntity({ type, value }: Pick<PatternEntityKey, 'type' | 'value'>): boolean {
  if (type === 'user_hid') return namesAccount(value)
  if (type !== 'local_ip') return namesOne(value)
  const address = parseAddress(value)
  return address !== undefined && isPublicAddress(address)
}
