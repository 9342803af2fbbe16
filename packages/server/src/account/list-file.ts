import { presentTime } from '@inkling/contract'
import { ListEntryDraft } from '@inkling/contract/account'
import type { Kysely } from 'kysely'
import type { ListEntryRow, ListFilter, NewListEntry } from '../store/lists/list-entries.ts'
import { listStore } from '../store/lists/list-entries.ts'
import { LENT } from '../store/lists/list-index.ts'
import { normalValue } from '../store/lists/subject-value.ts'
import type { Schema } from '../store/schema.ts'
import { readCsvTable } from './csv-table.ts'
import type { InShare } from './handler.ts'
import { csvLine } from './streamed-rows.ts'

const COLUMNS = ['list', 'kind', 'value', 'reason', 'expires_at'] as const
const ABOUT_ENTRY = ['author', 'created_at'] as const

/** @throws AppError `INK_INVALID_FIELD`, which names all rows that are wrong */
export const readListFile = (csv: string): Promise<NewListEntry[]> =>
  readCsvTable(csv, {
    columns: COLUMNS,
    required: ['list', 'kind', 'value'],
    ignored: ABOUT_ENTRY,
    read(cells) {
      const { data, error } = ListEntryDraft.safeParse(cells)
      if (!data) return { problem: error.issues.map(({ path, message }) => `${path}: ${message}`).join('; ') }
      const entry = newListEntry(data)
      if ('problem' in entry) return entry
      return { row: entry, key: `${entry.list} ${entry.kind} ${entry.value}` }
    },
  })

/** The entry with its value in normal form, or what is wrong with it. */
export function newListEntry(draft: ListEntryDraft): NewListEntry | { problem: string } {
  const { list, kind, reason, expires_at } = draft
  if (list === 'allow' && kind === LENT)
    return { problem: `kind: ${LENT} lets nobody pass, list the account or the address` }
  const normal = normalValue(kind, draft.value)
  if ('problem' in normal) return { problem: `value: ${normal.problem}` }
  const expiresAtMs = expires_at === null ? undefined : Date.parse(expires_at)
  return { list, kind, value: normal.value, reason, expiresAtMs }
}

/** Rows in memory at a time. */
const CHUNK = 1_000

/** The entries of a domain's lists as CSV, oldest first. The next ones are read when the consumer asks for them. */
export async function* writeListFile(
  db: Kysely<Schema>,
  inShare: InShare,
  domainId: number,
  filter: ListFilter,
): AsyncGenerator<string> {
  yield csvLine([...COLUMNS, ...ABOUT_ENTRY])
  for (let after = 0; ; ) {
    const page = { after, limit: CHUNK }
    const rows = await inShare(() => listStore(db).page(domainId, filter, page))
    if (rows.length > 0) yield rows.map(lineOf).join('')
    after = rows.at(-1)?.id ?? after
    if (rows.length < CHUNK) return
  }
}

const lineOf = ({ list, kind, value, reason, expires_at, author, created_at }: ListEntryRow): string =>
  csvLine([
    list,
    kind,
    value,
    reason,
    expires_at === null ? '' : presentTime(expires_at),
    author,
    presentTime(created_at),
  ])
