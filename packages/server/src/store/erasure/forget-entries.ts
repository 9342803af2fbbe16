import type { LabelSubject, ListKind, SearchType } from '@inkling/contract'
import type { Kysely } from 'kysely'
import { parseAddress } from '../../lib/address.ts'
import { uuidToText } from '../../lib/uuid.ts'
import { forgetProposals } from '../assistants/proposals.ts'
import { forgetCases } from '../cases/forget-cases.ts'
import { engineSql } from '../engine-sql.ts'
import { labelStore } from '../labels/labels.ts'
import { listStore } from '../lists/list-entries.ts'
import { normalValue } from '../lists/subject-value.ts'
import type { Schema } from '../schema.ts'
import type { Identifier } from './matching-rows.ts'

const SUBJECTS = {
  request_id: ['request'],
  session_id: ['session'],
  cookie_id: ['cookie'],
  device_id: ['device'],
  visitor_id: ['visitor'],
  user_hid: ['account'],
  ip: ['address', 'local_address'],
} as const satisfies Record<SearchType, readonly LabelSubject[]>

/** The list entries and labels about an identifier, in normal form. A network of one address is that address. */
export function entriesAbout({ type, value }: Identifier): {
  labels: [LabelSubject, string][]
  entries: [ListKind, string][]
} {
  const labels = SUBJECTS[type].map((subject): [LabelSubject, string] => {
    const normal = normalValue(subject, value)
    return [subject, 'value' in normal ? normal.value : value]
  })
  const entries = labels.flatMap(([subject, normal]): [ListKind, string][] =>
    subject === 'request' ? [] : [[subject, normal]],
  )
  const [address] = type === 'ip' ? labels : []
  const family = address && parseAddress(address[1])?.family
  if (address && family) entries.push(['cidr', `${address[1]}/${family === 4 ? 32 : 128}`])
  return { labels, entries }
}

/** The texts of an identifier by which a proposal is found: as it was given, and in normal form. */
export const textsAbout = (identifier: Identifier): string[] => [
  ...new Set([identifier.value, ...entriesAbout(identifier).labels.map(([, value]) => value)]),
]

/** Removes what lists, labels, cases and proposals of assistants say about an identifier. */
export async function forgetEntries(
  transaction: Kysely<Schema>,
  domainId: number,
  identifier: Identifier,
): Promise<void> {
  const { labels, entries } = entriesAbout(identifier)
  for (const [subject, value] of labels) await labelStore(transaction).removeAbout(domainId, subject, [value])
  for (const [kind, value] of entries) {
    await listStore(transaction).removeAbout(domainId, kind, [value])
    await forgetCases(transaction, domainId, kind, [value])
  }
  await forgetProposals(transaction, domainId, textsAbout(identifier))
}

interface LeavingVisit {
  id: number
  session_id: Uint8Array
}

/** The same for visits that are about to be removed: nobody else has their request IDs, and others may have their sessions. */
export async function forgetVisitEntries(
  transaction: Kysely<Schema>,
  domainId: number,
  ids: readonly number[],
): Promise<void> {
  const rows = await transaction
    .selectFrom('identifications')
    .select(['id', 'request_id', 'session_id'])
    .where(engineSql(transaction).besideIds('domain_id'), '=', domainId)
    .where('id', 'in', ids)
    .execute()
  const requests = rows.flatMap(({ request_id }) => (request_id === null ? [] : [uuidToText(request_id)]))
  await labelStore(transaction).removeAbout(domainId, 'request', requests)
  const sessions = await endingSessions(transaction, domainId, rows)
  // A proposal too many does no harm, so it is all the same who else has the sessions.
  const ofVisits = rows.map(({ session_id }) => uuidToText(session_id))
  await forgetProposals(transaction, domainId, [...requests, ...ofVisits])
  await labelStore(transaction).removeAbout(domainId, 'session', sessions)
  await listStore(transaction).removeAbout(domainId, 'session', sessions)
}

/** The sessions of these visits that lists or labels name, and that no other visit has. */
export async function endingSessions(
  db: Kysely<Schema>,
  domainId: number,
  visits: readonly LeavingVisit[],
): Promise<string[]> {
  const sessions = Map.groupBy(visits, ({ session_id }) => uuidToText(session_id))
  // Few are named, while a session may have any number of visits.
  const named = await namedSessions(db, domainId, [...sessions.keys()])
  const ending: string[] = []
  for (const [session, leaving] of sessions) {
    const [first] = leaving
    if (!first || !named.has(session)) continue
    const ofSession = await db
      .selectFrom('identifications')
      .select('id')
      .where('domain_id', '=', domainId)
      .where('session_id', '=', first.session_id)
      .limit(leaving.length + 1)
      .execute()
    const ids = new Set(leaving.map(({ id }) => id))
    if (ofSession.every(({ id }) => ids.has(id))) ending.push(session)
  }
  return ending
}

async function namedSessions(
  db: Kysely<Schema>,
  domainId: number,
  sessions: readonly string[],
): Promise<Set<string>> {
  const labels = await labelStore(db).about(domainId, 'session', sessions)
  const entries = await listStore(db).about(domainId, 'session', sessions)
  return new Set([...labels.map(({ subject }) => subject.value), ...entries.map(({ value }) => value)])
}
