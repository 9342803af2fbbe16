import { z } from 'zod'
import { Label, LabelDraft } from '../labels.ts'
import { LABEL_REACHES, LABEL_SUBJECTS } from '../lists.ts'
import { DomainPath, IdentifierValue, NO_DOMAIN, nextCursor, paging } from './fields.ts'
import { CsvImport, ImportResult } from './lists.ts'
import type { AccountOperation, Examples } from './operation.ts'

const FILE_BYTES_MAX = 20_000_000

export const ReachingLabel = z
  .object({
    label: Label,
    reach: z
      .enum(LABEL_REACHES)
      .describe(
        'How it reaches this: `direct` for its own subject; `same_device` and `same_account` for what shares the device or the account of an identification with its subject. Labels of addresses reach nothing but their subject',
      ),
  })
  .describe('A label that says something about this')
export type ReachingLabel = z.infer<typeof ReachingLabel>

export const LabelPage = z
  .object({ data: z.array(Label).describe('Newest first'), next: nextCursor })
  .describe('One page of the labels of a domain')

const LabelSearch = {
  kind: z.string().max(40).optional().describe('Only labels of this kind'),
  type: z.enum(LABEL_SUBJECTS).optional().describe('Only labels of this kind of subject'),
}

export const LABEL_OPERATIONS = {
  listLabels: {
    method: 'GET',
    path: '/account/domains/{domain}/labels',
    access: 'visits:read',
    summary: 'Search the labels of a domain',
    params: DomainPath,
    query: z.strictObject({
      ...LabelSearch,
      value: IdentifierValue.optional().describe(
        'A part of the subject; the case of letters does not matter',
      ),
      ...paging,
    }),
    answer: LabelPage,
    errors: NO_DOMAIN,
  },
  saveLabel: {
    method: 'POST',
    path: '/account/domains/{domain}/labels',
    access: 'labels:write',
    summary: 'Label a visitor',
    description: 'The same as `POST /api/v1/labels` of a backend. A domain has at most 100,000 labels.',
    params: DomainPath,
    body: LabelDraft,
    answer: Label,
    status: 201,
    errors: { ...NO_DOMAIN, 409: 'a domain has at most 100000 labels; remove some' },
  },
  removeLabel: {
    method: 'DELETE',
    path: '/account/domains/{domain}/labels/{label_id}',
    access: 'labels:write',
    summary: 'Remove a label',
    params: DomainPath.extend({
      label_id: z.coerce.number().int().positive().describe('Number of the label'),
    }),
    answer: 'nothing',
    errors: { 404: 'no such label' },
  },
  importLabels: {
    method: 'POST',
    path: '/account/domains/{domain}/labels/import',
    access: 'labels:write',
    summary: 'Import labels from CSV',
    description:
      'The columns are `kind`, `subject_type`, `subject_value`, `source`, and if you like `at` and `note`. Either all rows are saved, or none: the error then names every row that is wrong.',
    params: DomainPath,
    body: CsvImport,
    bodyBytesMax: FILE_BYTES_MAX,
    answer: ImportResult,
    errors: {
      ...NO_DOMAIN,
      400: 'line 3: subject_value: not a UUID',
      409: 'a domain has at most 100000 labels; remove some',
    },
  },
  exportLabels: {
    method: 'GET',
    path: '/account/domains/{domain}/labels/export',
    access: 'visits:export',
    proof: 'recent',
    summary: 'Export the labels of a domain as CSV',
    description:
      'Oldest first. An apostrophe before a cell that a spreadsheet would take for a formula makes it text; an import takes it off again.',
    params: DomainPath,
    query: z.strictObject(LabelSearch),
    answer: 'file',
    errors: NO_DOMAIN,
  },
} as const satisfies Record<string, AccountOperation>

export const LABEL_EXAMPLE: Label = {
  id: 12,
  kind: 'chargeback',
  subject: { type: 'account', value: 'b7e2f0c4' },
  source: 'payment_provider',
  at: '2026-10-12T09:30:00.000Z',
  note: 'Order 1042',
  author: 'api key',
}

export const LABEL_EXAMPLES: Examples<typeof LABEL_OPERATIONS> = {
  listLabels: { answer: { data: [LABEL_EXAMPLE], next: null } },
  saveLabel: {
    body: {
      kind: 'chargeback',
      subject: LABEL_EXAMPLE.subject,
      source: 'payment_provider',
      at: '2026-10-12T09:30:00.000Z',
      note: 'Order 1042',
    },
    answer: { ...LABEL_EXAMPLE, author: 'mira@brewline.example' },
  },
  removeLabel: {},
  importLabels: {
    body: { csv: 'kind,subject_type,subject_value,source\r\nfraud,account,b7e2f0c4,review\r\n' },
    answer: { rows: 1, replaced: 0 },
  },
  exportLabels: {},
}
