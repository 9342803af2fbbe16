import { LabelDraft, presentTime } from '@inkling/contract'
import type { Kysely } from 'kysely'
import { type LabelFilter, labelStore, type NewLabel } from '../store/labels/labels.ts'
import type { StoredLabel } from '../store/labels/labels-of.ts'
import { newLabel } from '../store/labels/new-label.ts'
import type { Schema } from '../store/schema.ts'
import { readCsvTable } from './csv-table.ts'
import type { InShare } from './handler.ts'
import { csvLine } from './streamed-rows.ts'

const COLUMNS = ['kind', 'subject_type', 'subject_value', 'source', 'at', 'note'] as const
const ABOUT_LABEL = ['author'] as const

/**
 * @param nowMs for labels without a time
 * @throws AppError `INK_INVALID_FIELD`, which names all rows that are wrong
 */
export const readLabelFile = (csv: string, nowMs: number): Promise<NewLabel[]> =>
  readCsvTable(csv, {
    columns: COLUMNS,
    required: ['kind', 'subject_type', 'subject_value', 'source'],
    ignored: ABOUT_LABEL,
    read({ subject_type: type, subject_value: value, ...cells }) {
      const { data, error } = LabelDraft.safeParse({ ...cells, subject: { type, value } })
      if (!data)
        return {
          problem: error.issues.map(({ path, message }) => `${path.join('_')}: ${message}`).join('; '),
        }
      const label = newLabel(data, nowMs)
      if ('problem' in label) return { problem: `subject_value: ${label.problem}` }
      const { kind, subject, source } = label
      return { row: label, key: JSON.stringify([kind, subject, source]) }
    },
  })

const CHUNK = 1_000

/** The labels of a domain as CSV, oldest first. The next ones are read when the consumer asks for them. */
export async function* writeLabelFile(
  db: Kysely<Schema>,
  inShare: InShare,
  domainId: number,
  filter: LabelFilter,
): AsyncGenerator<string> {
  yield csvLine([...COLUMNS, ...ABOUT_LABEL])
  for (let after = 0; ; ) {
    const page = { after, limit: CHUNK }
    const labels = await inShare(() => labelStore(db).page(domainId, filter, page))
    if (labels.length > 0) yield labels.map(lineOf).join('')
    after = labels.at(-1)?.id ?? after
    if (labels.length < CHUNK) return
  }
}

const lineOf = ({ kind, subject, source, atMs, note, author }: StoredLabel): string =>
  csvLine([kind, subject.type, subject.value, source, presentTime(atMs), note, author])
