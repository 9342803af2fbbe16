import { Readable } from 'node:stream'
import { type ListKind, presentTime } from '@inkling/contract'
import type { LIST_OPERATIONS, ListEntry } from '@inkling/contract/account'
import { AppError } from '../lib/errors.ts'
import { type ListEntryRow, listStore, type NewListEntry } from '../store/lists/list-entries.ts'
import { normalValue } from '../store/lists/subject-value.ts'
import { auditStore } from '../store/users/users.ts'
import { recordChange } from './audit.ts'
import { readCursor, writeCursor } from './cursor.ts'
import { findDomain } from './domains.ts'
import { type Handlers, inShareOf } from './handler.ts'
import { newListEntry, readListFile, writeListFile } from './list-file.ts'

/** The audit log names lists and kinds, never values: an erasure could not find those there. */
export const listOperations: Handlers<typeof LIST_OPERATIONS> = {
  listEntries: async ({ params, query }, { store }) => {
    const { id } = await findDomain(store, params.domain)
    const [before] = readCursor(query.cursor, 1) ?? []
    const filter = {
      ...{ list: query.list, kind: query.kind, text: query.value },
      value: wholeValue(query.kind, query.exact_value),
    }
    const [rows, total] = await Promise.all([
      listStore(store.reads).page(id, filter, { before, limit: query.limit }),
      listStore(store.reads).count(id, filter),
    ])
    const last = rows.length === query.limit ? rows.at(-1) : undefined
    return { data: rows.map(presentListEntry), total, next: last ? writeCursor([last.id]) : null }
  },

  saveListEntry: async ({ params, body, caller }, deps) => {
    const { id, name } = await findDomain(deps.store, params.domain)
    const entry = newListEntry(body)
    if ('problem' in entry) throw new AppError('INK_INVALID_FIELD', entry.problem)
    const { list, kind } = entry
    const change = { actor: caller.email, action: 'lists.save', target: name, detail: { list, kind } }
    const saved = await recordChange(deps, change, async (transaction) => {
      const by = { author: caller.email, nowMs: deps.now() }
      await listStore(transaction).save(id, [entry], by)
      return (await listStore(transaction).page(id, {}, { limit: 1 }))[0]
    })
    if (!saved) throw new Error('the entry was not saved')
    return presentListEntry(saved)
  },

  saveListEntries: async ({ params, body: { values, ...draft }, caller }, deps) => {
    const { id, name } = await findDomain(deps.store, params.domain)
    const entries = new Map<string, NewListEntry>()
    for (const value of values) {
      const entry = newListEntry({ ...draft, value })
      if ('problem' in entry) throw new AppError('INK_INVALID_FIELD', `${value}: ${entry.problem}`)
      entries.set(entry.value, entry)
    }
    const counts = { list: draft.list, kind: draft.kind, entries: entries.size }
    const saved = await recordChange(
      deps,
      ({ replaced }: { replaced: string[] }) => {
        const detail = { ...counts, replaced: replaced.length }
        return { actor: caller.email, action: 'lists.save', target: name, detail }
      },
      (transaction) =>
        listStore(transaction).save(id, [...entries.values()], { author: caller.email, nowMs: deps.now() }),
    )
    const replaced = saved?.replaced ?? []
    return { saved: entries.size, replaced: replaced.length, replaced_values: replaced.toSorted() }
  },

  removeListEntry: async ({ params, caller }, deps) => {
    const { id, name } = await findDomain(deps.store, params.domain)
    const detail = { entry: params.entry_id }
    const change = { actor: caller.email, action: 'lists.remove', target: name, detail }
    const removed = await recordChange(deps, change, (transaction) =>
      listStore(transaction).remove(id, params.entry_id),
    )
    if (!removed) throw new AppError('INK_NOT_FOUND', 'no such entry')
    return undefined
  },

  importLists: async ({ params, body, caller }, deps) => {
    const { id, name } = await findDomain(deps.store, params.domain)
    const entries = await readListFile(body.csv)
    const detail = { rows: entries.length }
    const change = { actor: caller.email, action: 'lists.import', target: name, detail }
    const saved = await recordChange(deps, change, (transaction) =>
      listStore(transaction).save(id, entries, { author: caller.email, nowMs: deps.now() }),
    )
    return { rows: entries.length, replaced: saved?.replaced.length ?? 0 }
  },

  exportLists: async ({ params, query, caller }, { store, now }) => {
    const { id, name } = await findDomain(store, params.domain)
    const change = { actor: caller.email, action: 'lists.export', target: name }
    await auditStore(store.writes).add(change, now())
    return {
      type: 'text/csv; charset=utf-8',
      name: `${name}-lists.csv`,
      content: Readable.from(writeListFile(store.reads, inShareOf(caller, store), id, query)),
    }
  },
}

/** In normal form; what has none is on no list, and is searched for as it is. */
function wholeValue(kind: ListKind | undefined, text: string | undefined): string | undefined {
  if (text === undefined) return undefined
  if (kind === undefined) throw new AppError('INK_INVALID_FIELD', 'exact_value: needs a kind')
  const normal = normalValue(kind, text)
  return 'problem' in normal ? text : normal.value
}

export const presentListEntry = (row: ListEntryRow): ListEntry => ({
  id: row.id,
  list: row.list as ListEntry['list'],
  kind: row.kind as ListEntry['kind'],
  value: row.value,
  reason: row.reason,
  author: row.author,
  expires_at: row.expires_at === null ? null : presentTime(row.expires_at),
  created_at: presentTime(row.created_at),
})
