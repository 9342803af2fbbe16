import type { LabelSubject, ListKind, SearchType } from '@inkling/contract'
import type { Kysely } from 'kysely'
import { parseAddress } from '../../lib/address.ts'
import { uuidToText } from '../../lib/uuid.ts'
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

/** Removes what lists and labels say about an identifier. */
export async function forgetEntries(
  transaction: Kysely<Schema>,
  domainId: number,
  identifier: Identifier,
): Promise<void> {
  const { labels, entries } = entriesAbout(identifier)
  for (const [subject, value] of labels) await labelStore(transaction).removeAbout(domainId, subject, [value])
  for (const [kind, value] of entries) await listStore(transaction).removeAbout(domainId, kind, [value])
}

/** The same for visits that are about to be removed: nobody else has their request IDs and sessions. */
export async function forgetVisitEntries(
  transaction: Kysely<Schema>,
  domainId: number,
  ids: readonly number[],
): Promise<void> {
  const rows = await transaction
    .selectFrom('identifications')
    .select(['request_id', 'session_id'])
    .where('id', 'in', ids)
    .execute()
  const requests = rows.flatMap(({ request_id }) => (request_id === null ? [] : [uuidToText(request_id)]))
  const sessions = [...new Set(rows.map(({ session_id }) => uuidToText(session_id)))]
  await labelStore(transaction).removeAbout(domainId, 'request', requests)
  await labelStore(transaction).removeAbout(domainId, 'session', sessions)
  await listStore(transaction).removeAbout(domainId, 'session', sessions)
}
