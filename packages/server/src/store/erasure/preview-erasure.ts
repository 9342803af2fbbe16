import { NIL_UUID, namesAccount } from '@inkling/contract'
import type { Kysely } from 'kysely'
import { ipv4ToText, ipv6ToText } from '../../lib/address.ts'
import { uuidToText } from '../../lib/uuid.ts'
import { proposalsNaming } from '../assistants/proposals.ts'
import { caseIdsAbout } from '../cases/forget-cases.ts'
import { decisionStore } from '../decisions/decisions.ts'
import { identifierLookup } from '../identifications/lookup.ts'
import { labelStore } from '../labels/labels.ts'
import { listStore } from '../lists/list-entries.ts'
import type { Schema } from '../schema.ts'
import { type MentionTable, mentionsOf } from './find-mentions.ts'
import { endingSessions, entriesAbout, textsAbout } from './forget-entries.ts'
import {
  type Condition,
  conditionsOf,
  conditionsOnIds,
  type Identifier,
  isInProfiles,
  rememberingDevices,
  withOtherIds,
} from './matching-rows.ts'
import { sightedRows } from './sighted-rows.ts'

/** An identifier that occurs in the rows that would go. */
interface LinkedIdentifier extends Identifier {
  /** Identifications with it, in all of the domain. */
  rows: number
}

export interface ErasurePreview {
  /** Identifications that would go. */
  rows: number
  /** Whether all were read; otherwise at least this much would go. */
  complete: boolean
  tables: { table: string; rows: number }[]
  /** Texts of operators that name one of the identifiers and stay, by the table where they are. */
  mentions: { table: MentionTable; rows: number }[]
  linked: LinkedIdentifier[]
}

const READ_MAX = 50_000
/** Identifiers of each type that are offered, those of most rows first. */
const LINKED_MAX = 10
const CHUNK = 500

/** What an erasure of these identifiers would remove. It changes nothing. */
export async function previewErasure(
  db: Kysely<Schema>,
  domainId: number,
  named: readonly Identifier[],
): Promise<ErasurePreview> {
  const identifiers = (await Promise.all(named.map((one) => withOtherIds(db, domainId, one)))).flat()
  const { rows, complete } = await matchingRows(db, domainId, identifiers)
  const devices = await devicesToForget(db, domainId, identifiers, rows)
  const counted = await countBeside(db, domainId, rows)
  const said = await countEntries(db, domainId, identifiers, rows)
  const tables = [
    { table: 'identifications', rows: rows.length },
    ...[...counted].map(([table, count]) => ({ table, rows: count })),
    { table: 'devices', rows: devices },
    ...said.tables,
  ]
  return {
    rows: rows.length,
    complete,
    tables,
    mentions: said.mentions,
    linked: await linkedIdentifiers(db, domainId, identifiers, rows),
  }
}

type MatchingRow = Awaited<ReturnType<typeof readRows>>[number]

async function matchingRows(db: Kysely<Schema>, domainId: number, identifiers: readonly Identifier[]) {
  const found = new Map<number, MatchingRow>()
  for (const identifier of identifiers) {
    const conditions = [
      ...conditionsOf(identifierLookup(identifier.type, identifier.value)),
      ...conditionsOnIds(await sightedRows(db, domainId, identifier)),
    ]
    for (const condition of conditions) {
      const left = READ_MAX + 1 - found.size
      if (left > 0) for (const row of await readRows(db, domainId, condition, left)) found.set(row.id, row)
    }
  }
  return { rows: [...found.values()].slice(0, READ_MAX), complete: found.size <= READ_MAX }
}

const readRows = (db: Kysely<Schema>, domainId: number, condition: Condition, limit: number) =>
  db
    .selectFrom('identifications')
    .select([
      'id',
      'request_id',
      'session_id',
      'device_id',
      'visitor_id',
      'cookie_id',
      'user_hid',
      'ip',
      'ip6',
    ])
    .where('domain_id', '=', domainId)
    .where(condition)
    .limit(limit)
    .execute()

/** Rows of other tables that belong to the identifications. */
async function countBeside(
  db: Kysely<Schema>,
  domainId: number,
  rows: readonly MatchingRow[],
): Promise<Map<string, number>> {
  const counted = new Map<string, number>()
  for (let from = 0; from < rows.length; from += CHUNK) {
    const chunk = rows.slice(from, from + CHUNK)
    const ids = chunk.map(({ id }) => id)
    const requestIds = chunk.flatMap(({ request_id }) => (request_id === null ? [] : [request_id]))
    const add = (table: string, { rows: more }: { rows: number }) =>
      counted.set(table, (counted.get(table) ?? 0) + more)
    for (const table of ['versions', 'snapshots', 'pattern_rows'] as const)
      add(
        table,
        await db
          .selectFrom(table)
          .where('domain_id', '=', domainId)
          .where('identification_id', 'in', ids)
          .select(({ fn }) => fn.countAll<number>().as('rows'))
          .executeTakeFirstOrThrow(),
      )
    if (requestIds.length === 0) continue
    for (const table of ['outbox', 'deliveries', 'sticky_verdicts'] as const)
      add(
        table,
        await db
          .selectFrom(table)
          .where('domain_id', '=', domainId)
          .where('request_id', 'in', requestIds)
          .select(({ fn }) => fn.countAll<number>().as('rows'))
          .executeTakeFirstOrThrow(),
      )
  }
  return counted
}

/** Decisions, labels, cases and entries of lists that would go, and texts that would stay. */
async function countEntries(
  db: Kysely<Schema>,
  domainId: number,
  identifiers: readonly Identifier[],
  rows: readonly MatchingRow[],
): Promise<Pick<ErasurePreview, 'tables' | 'mentions'>> {
  const labels = new Set<number>()
  const entries = new Set<number>()
  const requests = rows.flatMap(({ request_id }) => (request_id === null ? [] : [uuidToText(request_id)]))
  const sessions = await endingSessions(db, domainId, rows)
  const about = identifiers.map(entriesAbout)
  for (const [subject, values] of [
    ['request', requests],
    ['session', sessions],
    ...about.flatMap((one) => one.labels.map(([subject, value]) => [subject, [value]] as const)),
  ] as const)
    for (const { id } of await labelStore(db).about(domainId, subject, values)) labels.add(id)
  for (const [kind, values] of [
    ['session', sessions],
    ...about.flatMap((one) => one.entries.map(([kind, value]) => [kind, [value]] as const)),
  ] as const)
    for (const { id } of await listStore(db).about(domainId, kind, values)) entries.add(id)
  const texts = [...identifiers.flatMap(textsAbout), ...requests, ...rows.map(sessionOf)]
  const proposals = await proposalsNaming(db, domainId, texts)
  const cases = new Set<number>()
  for (const [kind, value] of about.flatMap((one) => one.entries))
    for (const id of await caseIdsAbout(db, domainId, kind, [value])) cases.add(id)
  const decisions = new Set<number>()
  const requestIds = rows.flatMap(({ request_id }) => (request_id === null ? [] : [request_id]))
  for (let from = 0; from === 0 || from < requestIds.length; from += CHUNK) {
    const chunk = requestIds.slice(from, from + CHUNK)
    // What identifiers name is the same for all chunks.
    const named = from === 0 ? identifiers : []
    for (const id of await decisionStore(db).idsAbout(domainId, chunk, named)) decisions.add(id)
  }
  const going: Partial<Record<MentionTable, ReadonlySet<number>>> = {
    labels,
    list_entries: entries,
    cases,
    case_events: cases,
  }
  const mentions = await mentionsOf(db, domainId, identifiers.flatMap(textsAbout))
  const staying = Map.groupBy(
    mentions.filter(({ table, id }) => !going[table]?.has(Number(id))),
    ({ table }) => table,
  )
  return {
    tables: [
      { table: 'decisions', rows: decisions.size },
      { table: 'labels', rows: labels.size },
      { table: 'cases', rows: cases.size },
      { table: 'list_entries', rows: entries.size },
      { table: 'assistant_proposals', rows: proposals.length },
    ],
    mentions: [...staying].map(([table, { length }]) => ({ table, rows: length })),
  }
}

const sessionOf = ({ session_id }: { session_id: Uint8Array }): string => uuidToText(session_id)

async function devicesToForget(
  db: Kysely<Schema>,
  domainId: number,
  identifiers: readonly Identifier[],
  rows: readonly MatchingRow[],
): Promise<number> {
  const going = new Map<string, { deviceId: Uint8Array; rows: number }>()
  for (const { device_id } of rows) {
    const name = uuidToText(device_id)
    const known = going.get(name)
    if (known) known.rows += 1
    else if (name !== NIL_UUID) going.set(name, { deviceId: device_id, rows: 1 })
  }
  const kept = new Set<string>()
  if (!identifiers.some(({ type }) => isInProfiles(type)))
    for (const [name, { deviceId, rows: ofDevice }] of going)
      if ((await countRows(db, domainId, 'device_id', deviceId)) > ofDevice) kept.add(name)
  const remembering = await Promise.all(identifiers.map((one) => rememberingDevices(db, domainId, one)))
  return new Set([
    ...[...going.keys()].filter((name) => !kept.has(name)),
    ...remembering.flat().map((deviceId) => uuidToText(deviceId)),
  ]).size
}

type LinkedColumn = 'device_id' | 'visitor_id' | 'cookie_id' | 'user_hid' | 'ip' | 'ip6'

async function countRows(
  db: Kysely<Schema>,
  domainId: number,
  column: LinkedColumn,
  value: Uint8Array | string | number,
): Promise<number> {
  const row = await db
    .selectFrom('identifications')
    .where('domain_id', '=', domainId)
    .where(column, '=', value)
    .select(({ fn }) => fn.countAll<number>().as('rows'))
    .executeTakeFirstOrThrow()
  return row.rows
}

interface Seen {
  identifier: Identifier
  column: LinkedColumn
  stored: Uint8Array | string | number
  times: number
}

/** The other identifiers of these rows, which may be the same person's. */
async function linkedIdentifiers(
  db: Kysely<Schema>,
  domainId: number,
  identifiers: readonly Identifier[],
  rows: readonly MatchingRow[],
): Promise<LinkedIdentifier[]> {
  const seen = new Map<string, Seen>()
  for (const row of rows)
    for (const [identifier, column, stored] of identifiersOf(row)) {
      const name = `${identifier.type} ${identifier.value}`
      const known = seen.get(name)
      if (known) known.times += 1
      else seen.set(name, { identifier, column, stored, times: 1 })
    }
  for (const { type, value } of identifiers) seen.delete(`${type} ${value}`)
  const linked: LinkedIdentifier[] = []
  for (const column of ['user_hid', 'device_id', 'visitor_id', 'cookie_id', 'ip', 'ip6'] as const) {
    const ofColumn = [...seen.values()].filter((one) => one.column === column)
    for (const { identifier, stored } of ofColumn.toSorted((a, b) => b.times - a.times).slice(0, LINKED_MAX))
      linked.push({ ...identifier, rows: await countRows(db, domainId, column, stored) })
  }
  return linked
}

function identifiersOf(row: MatchingRow): [Identifier, LinkedColumn, Seen['stored']][] {
  const found: [Identifier, LinkedColumn, Seen['stored']][] = []
  if (namesAccount(row.user_hid))
    found.push([{ type: 'user_hid', value: row.user_hid }, 'user_hid', row.user_hid])
  for (const type of ['device_id', 'visitor_id', 'cookie_id'] as const) {
    const value = uuidToText(row[type])
    if (value !== NIL_UUID) found.push([{ type, value }, type, row[type]])
  }
  if (row.ip !== null) found.push([{ type: 'ip', value: ipv4ToText(row.ip) }, 'ip', row.ip])
  if (row.ip6 !== null) found.push([{ type: 'ip', value: ipv6ToText(row.ip6) }, 'ip6', row.ip6])
  return found
}
