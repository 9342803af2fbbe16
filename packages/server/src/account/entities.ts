import { type Band, bandOf, type LabelSubject, presentTime } from '@inkling/contract'
import {
  type ENTITY_OPERATIONS,
  type EntityDay,
  type EntitySummary,
  LINKED_VALUES_MAX,
  type LinkedValue,
} from '@inkling/contract/account'
import { AppError } from '../lib/errors.ts'
import { uuidToText } from '../lib/uuid.ts'
import { withAliases } from '../store/devices/device-aliases.ts'
import { findingsOfRows, openFindings } from '../store/findings/findings.ts'
import {
  type EntityRow,
  type EntityRows,
  entityRows,
  localIpRows,
} from '../store/identifications/identifications.ts'
import { identifierLookup, type Lookup } from '../store/identifications/lookup.ts'
import { labelsReaching } from '../store/labels/read-labels.ts'
import { normalValue } from '../store/lists/subject-value.ts'
import type { Store } from '../store/store.ts'
import { readVelocity } from '../store/velocity/read-velocity.ts'
import type { VelocitySubject } from '../visit/velocity.ts'
import { findDomain } from './domains.ts'
import { asOneDevice, linkGraph, READ_IDENTIFIER } from './entity-graph.ts'
import type { Handlers } from './handler.ts'
import { presentReachingLabels } from './labels.ts'
import { presentFinding } from './patterns.ts'

/** More than any entity but a shared address has, and still read in milliseconds. */
const ROWS_MAX = 5_000

export const entityOperations: Handlers<typeof ENTITY_OPERATIONS> = {
  getEntity: async ({ params, query }, { store, now }) => {
    const { id } = await findDomain(store, params.domain)
    const { type, value } = query
    const lookup =
      type === 'local_ip' ? undefined : await withAliases(store.reads, id, identifierLookup(type, value))
    const { rows, complete } = await rowsOf(store, id, query, lookup)
    const summary = summariseEntity(rows)
    if (!summary) throw new AppError('INK_NOT_FOUND', 'no identification has it')
    const subject = COUNTED[type]
    const [own, all, labels, velocity] = await Promise.all([
      openFindings(store.reads, {
        domainId: id,
        type: type === 'ip' ? 'local_ip' : type,
        value: type === 'user_hid' ? value : value.toLowerCase(),
      }),
      findingsOfRows(
        store.reads,
        id,
        rows.map((row) => row.id),
      ),
      labelsReaching(store.reads, id, new Map([labelSubject(type, value)])),
      subject && readVelocity(store, id, { subject, value, atMs: now() }),
    ])
    const others = all.filter((finding) => !own.some((known) => known.id === finding.id))
    return {
      type,
      value,
      complete,
      ...summary,
      aliases: (lookup?.aliases ?? []).map(uuidToText).sort(),
      graph: linkGraph(asOneDevice(rows, query, lookup), { type, value }),
      patterns: own.map(presentFinding),
      part_of: others.map(presentFinding),
      labels: presentReachingLabels(labels),
      velocity: velocity ?? null,
    }
  },
}

/** The subject of labels that an entity is. */
function labelSubject(type: EntitySummary['type'], value: string): [LabelSubject, string] {
  const subject = LABELLED[type]
  const normal = normalValue(subject, value)
  return [subject, 'value' in normal ? normal.value : value]
}

const LABELLED = {
  device_id: 'device',
  visitor_id: 'visitor',
  user_hid: 'account',
  ip: 'address',
  local_ip: 'local_address',
} as const satisfies Record<EntitySummary['type'], LabelSubject>

const COUNTED: Partial<Record<EntitySummary['type'], VelocitySubject>> = {
  device_id: 'device',
  visitor_id: 'visitor',
  user_hid: 'account',
  ip: 'address',
}

/** The newest identifications of an entity. */
function rowsOf(
  { reads }: Store,
  domainId: number,
  { value }: Pick<EntitySummary, 'value'>,
  lookup: Lookup | undefined,
): Promise<EntityRows> {
  if (lookup) return entityRows(reads, domainId, lookup, ROWS_MAX)
  const address = identifierLookup('ip', value)
  if (address.column !== 'ip') throw new AppError('INK_INVALID_FIELD', 'value: not an IPv4 address')
  return localIpRows(reads, domainId, Number(address.value), ROWS_MAX)
}

const DAY_LENGTH = 'YYYY-MM-DD'.length

type Summary = Omit<
  EntitySummary,
  'type' | 'value' | 'aliases' | 'complete' | 'graph' | 'patterns' | 'part_of' | 'labels' | 'velocity'
>

/**
 * Summarises rows that share an identifier.
 * @param rows newest first
 * @returns undefined without rows
 */
function summariseEntity(rows: readonly EntityRow[]): Summary | undefined {
  const [newest] = rows
  const oldest = rows.at(-1)
  if (!newest || !oldest) return undefined
  const scores = rows.flatMap(({ score }) => (hasScore(score) ? [score] : []))
  return {
    first_seen_at: presentTime(oldest.created_at),
    last_seen_at: presentTime(newest.created_at),
    identifications: rows.length,
    average_score: scores.length === 0 ? null : scores.reduce((sum, score) => sum + score, 0) / scores.length,
    highest_score: highest(scores),
    bands: countBands(rows),
    days: days(rows),
    linked: {
      device_id: linked(rows, READ_IDENTIFIER.device_id),
      visitor_id: linked(rows, READ_IDENTIFIER.visitor_id),
      user_hid: linked(rows, READ_IDENTIFIER.user_hid),
      ip: linked(rows, READ_IDENTIFIER.ip),
      local_ip: linked(rows, READ_IDENTIFIER.local_ip),
      cookie_id: linked(rows, READ_IDENTIFIER.cookie_id),
      country: linked(rows, ({ country }) => country ?? undefined),
      browser: linked(rows, ({ browser }) => browser),
      os: linked(rows, ({ os }) => os),
    },
  }
}

/** The rate-limit marker, 999, is not a score. */
const hasScore = (score: number): boolean => bandOf(score) !== 'rate_limited'
const highest = (scores: readonly number[]): number | null =>
  scores.length === 0 ? null : Math.max(...scores)

function countBands(rows: readonly EntityRow[]): Record<Band, number> {
  const bands: Record<Band, number> = { trusted: 0, suspicious: 0, dangerous: 0, rate_limited: 0 }
  for (const { score } of rows) bands[bandOf(score)] += 1
  return bands
}

function days(rows: readonly EntityRow[]): EntityDay[] {
  const byDay = Map.groupBy(rows, ({ created_at }) => presentTime(created_at).slice(0, DAY_LENGTH))
  return [...byDay]
    .map(([day, those]) => ({
      day,
      identifications: those.length,
      highest_score: highest(those.flatMap(({ score }) => (hasScore(score) ? [score] : []))),
    }))
    .reverse()
}

/** Rows come newest first, so the first row of a value is its newest. */
function linked(rows: readonly EntityRow[], read: (row: EntityRow) => string | undefined): LinkedValue[] {
  const byValue = Map.groupBy(rows, read)
  return [...byValue]
    .flatMap(([value, [newest, ...others]]) =>
      value === undefined || !newest
        ? []
        : [{ value, identifications: others.length + 1, last_seen_at: presentTime(newest.created_at) }],
    )
    .sort((a, b) => b.identifications - a.identifications)
    .slice(0, LINKED_VALUES_MAX)
}
