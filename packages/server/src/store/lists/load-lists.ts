import type { ListKind, ListName } from '@inkling/contract'
import type { Kysely, Selectable } from 'kysely'
import type { ListEntryTable } from '../decision-tables.ts'
import type { Schema } from '../schema.ts'
import { createListIndex, type DomainLists, type ListIndex } from './list-index.ts'

/** Read at a time, so that a long list occupies neither the reader nor this process for long. */
const PAGE_ROWS = 1_000

interface Loaded {
  version: number
  index: ListIndex
  lastId: number
}

interface LoadedLists {
  /** Without a query; always as of the last refresh. */
  of(domainId: number): DomainLists
  /** Reads the lists that changed since the last call. */
  refresh(): Promise<void>
}

/** The lists of all domains in memory, so that an identification needs no query for them. */
export function loadedLists(db: Kysely<Schema>): LoadedLists {
  let known = new Map<number, Loaded>()
  let turn = Promise.resolve()

  async function read(): Promise<void> {
    // The versions first: a change during the reads then causes another read and is never missed.
    const versions = await db.selectFrom('list_versions').selectAll().execute()
    const current = new Map<number, Loaded>()
    for (const { domain_id, version } of versions) {
      const before = known.get(domain_id)
      const isCurrent = before?.version === version
      current.set(domain_id, isCurrent ? before : await load(db, domain_id, version, before))
    }
    known = current
  }
  return {
    of: (domainId) => ({
      match: (subjects, atMs) => known.get(domainId)?.index.match(subjects, atMs) ?? [],
    }),
    refresh() {
      // One after the other, so that an earlier read never replaces a later one.
      turn = turn.then(read, read)
      return turn
    },
  }
}

/** Adds what is new. If anything was removed as well, all of it is read again. */
async function load(
  db: Kysely<Schema>,
  domainId: number,
  version: number,
  before: Loaded | undefined,
): Promise<Loaded> {
  if (before) {
    const lastId = await addEntries(db, domainId, before.index, before.lastId)
    const { count } = await db
      .selectFrom('list_entries')
      .where('domain_id', '=', domainId)
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow()
    if (count === before.index.size()) return { version, index: before.index, lastId }
  }
  const index = createListIndex()
  return { version, index, lastId: await addEntries(db, domainId, index, 0) }
}

/** @returns the ID of the last entry */
async function addEntries(
  db: Kysely<Schema>,
  domainId: number,
  index: ListIndex,
  afterId: number,
): Promise<number> {
  for (let last = afterId; ; ) {
    const rows = await db
      .selectFrom('list_entries')
      .select(['id', 'list', 'kind', 'value', 'reason', 'expires_at'])
      .where('domain_id', '=', domainId)
      .where('id', '>', last)
      .orderBy('id')
      .limit(PAGE_ROWS)
      .execute()
    for (const row of rows) index.add(listedEntry(row))
    last = rows.at(-1)?.id ?? last
    if (rows.length < PAGE_ROWS) return last
  }
}

type LoadedRow = Pick<Selectable<ListEntryTable>, 'list' | 'kind' | 'value' | 'reason' | 'expires_at'>

const listedEntry = ({ list, kind, value, reason, expires_at }: LoadedRow) => ({
  list: list as ListName,
  kind: kind as ListKind,
  value,
  reason,
  expiresAtMs: expires_at ?? undefined,
})
