import { z } from 'zod'
import { LIST_KINDS, LIST_NAMES } from '../lists.ts'
import { DomainPath, IdentifierValue, NO_DOMAIN, nextCursor, paging, Timestamp } from './fields.ts'
import type { AccountOperation, Examples } from './operation.ts'

const REASON_MAX = 200
/** A hundred thousand entries of the usual length. */
const FILE_CHARACTERS_MAX = 16_000_000
const FILE_BYTES_MAX = 20_000_000

const ListNameField = z.enum(LIST_NAMES).describe('Which list')
const ListKindField = z
  .enum(LIST_KINDS)
  .describe(
    'What the value is: a UUID of a `device`, `visitor`, `cookie` or `session`, your `user_hid` of an `account`, an IP `address`, a `local_address` that the network check saw, a network as `cidr`, the number of an autonomous system as `asn`, an ISO 3166 code of two letters as `country`, the SHA-256 of the domain of an e-mail address in lower case as `email_domain_hash`',
  )

export const ListEntryDraft = z
  .strictObject({
    list: ListNameField,
    kind: ListKindField,
    value: IdentifierValue.describe('The value. It is stored in normal form'),
    reason: z
      .string()
      .max(REASON_MAX)
      .default('')
      .describe('Why it is there. Decisions give it as their reason'),
    expires_at: Timestamp.nullable().default(null).describe('Until when it counts; null without an end'),
  })
  .describe('An entry of a list to save. It replaces the one of the same list, kind and value')
export type ListEntryDraft = z.infer<typeof ListEntryDraft>

const VALUES_MAX = 1_000

export const ListEntriesDraft = ListEntryDraft.omit({ value: true })
  .extend({
    values: z
      .array(IdentifierValue)
      .min(1)
      .max(VALUES_MAX)
      .describe('The values, such as all accounts of a ring. They are stored in normal form'),
  })
  .describe('Entries of a list that differ only in their value. They replace those of the same values')

export const ListEntry = z
  .object({
    id: z.int().describe('Number of the entry'),
    list: ListNameField,
    kind: ListKindField,
    value: z.string().describe('In normal form'),
    reason: z.string().describe('Why it is there'),
    author: z.string().describe('E-mail address of the user who saved it, or `command line`'),
    expires_at: Timestamp.nullable().describe('Until when it counts; null without an end'),
    created_at: Timestamp.describe('When it was saved'),
  })
  .describe('An entry of a list')
export type ListEntry = z.infer<typeof ListEntry>

export const ListEntryPage = z
  .object({
    data: z.array(ListEntry).describe('Newest first'),
    total: z.int().describe('All entries that match the search'),
    next: nextCursor,
  })
  .describe('One page of the entries of a domain’s lists')

export const CsvImport = z
  .object({
    csv: z
      .string()
      .max(FILE_CHARACTERS_MAX)
      .describe('Text of the file, its first line the names of the columns'),
  })
  .describe('A CSV file to import')

export const ImportResult = z
  .object({
    rows: z.int().describe('Rows of the file'),
    replaced: z.int().describe('Those that replaced one that was there'),
  })
  .describe('What an import did')

const ListSearch = {
  list: ListNameField.optional(),
  kind: ListKindField.optional(),
}

export const EntriesSaved = z
  .object({
    saved: z.int().describe('Entries that are on the list now'),
    replaced: z.int().describe('Those that were there already, for which the new reason and end count'),
    replaced_values: z.array(z.string()).describe('Their values, sorted'),
  })
  .describe('What adding several values did')

export const LIST_OPERATIONS = {
  listEntries: {
    method: 'GET',
    path: '/account/domains/{domain}/lists',
    access: 'visits:read',
    summary: 'Search the lists of a domain',
    params: DomainPath,
    query: z.strictObject({
      ...ListSearch,
      value: IdentifierValue.optional().describe('A part of the value; the case of letters does not matter'),
      exact_value: IdentifierValue.optional().describe(
        'The whole value, in any form in which it can be saved; accounts that differ in case are different ones. Needs `kind`',
      ),
      ...paging,
    }),
    answer: ListEntryPage,
    errors: NO_DOMAIN,
  },
  saveListEntry: {
    method: 'POST',
    path: '/account/domains/{domain}/lists',
    access: 'lists:write',
    summary: 'Add an entry to a list',
    description:
      'It counts for visits that are scored from now on, on every server within a second. A domain has at most 100,000 entries.',
    params: DomainPath,
    body: ListEntryDraft,
    answer: ListEntry,
    status: 201,
    errors: {
      ...NO_DOMAIN,
      409: 'a domain has at most 100000 list entries; remove some',
    },
  },
  saveListEntries: {
    method: 'POST',
    path: '/account/domains/{domain}/lists/entries',
    access: 'lists:write',
    summary: 'Add several values to a list',
    description: 'Either all values are saved, or none.',
    params: DomainPath,
    body: ListEntriesDraft,
    answer: EntriesSaved,
    errors: {
      ...NO_DOMAIN,
      409: 'a domain has at most 100000 list entries; remove some',
    },
  },
  removeListEntry: {
    method: 'DELETE',
    path: '/account/domains/{domain}/lists/{entry_id}',
    access: 'lists:write',
    summary: 'Remove an entry of a list',
    params: DomainPath.extend({
      entry_id: z.coerce.number().int().positive().describe('Number of the entry'),
    }),
    answer: 'nothing',
    errors: { 404: 'no such entry' },
  },
  importLists: {
    method: 'POST',
    path: '/account/domains/{domain}/lists/import',
    access: 'lists:write',
    summary: 'Import entries of lists from CSV',
    description:
      'The columns are `list`, `kind`, `value`, and if you like `reason` and `expires_at`; those of an export that say who saved an entry are ignored. Either all rows are saved, or none: the error then names every row that is wrong.',
    params: DomainPath,
    body: CsvImport,
    bodyBytesMax: FILE_BYTES_MAX,
    answer: ImportResult,
    errors: {
      ...NO_DOMAIN,
      400: 'line 3: value: not a UUID',
      409: 'a domain has at most 100000 list entries; remove some',
    },
  },
  exportLists: {
    method: 'GET',
    path: '/account/domains/{domain}/lists/export',
    access: 'visits:export',
    proof: 'recent',
    summary: 'Export the lists of a domain as CSV',
    description:
      'Oldest first. An apostrophe before a cell that a spreadsheet would take for a formula makes it text; an import takes it off again.',
    params: DomainPath,
    query: z.strictObject(ListSearch),
    answer: 'file',
    errors: NO_DOMAIN,
  },
} as const satisfies Record<string, AccountOperation>

export const LIST_ENTRY_EXAMPLE: ListEntry = {
  id: 7,
  list: 'deny',
  kind: 'cidr',
  value: '198.51.100.0/24',
  reason: 'Stolen cards, June',
  author: 'mira@brewline.example',
  expires_at: '2026-12-31T00:00:00.000Z',
  created_at: '2026-10-08T14:25:00.000Z',
}

export const LIST_EXAMPLES: Examples<typeof LIST_OPERATIONS> = {
  listEntries: { answer: { data: [LIST_ENTRY_EXAMPLE], total: 1, next: null } },
  saveListEntry: {
    body: {
      list: 'deny',
      kind: 'cidr',
      value: '198.51.100.0/24',
      reason: LIST_ENTRY_EXAMPLE.reason,
      expires_at: '2026-12-31T00:00:00.000Z',
    },
    answer: LIST_ENTRY_EXAMPLE,
  },
  saveListEntries: {
    body: {
      list: 'deny',
      kind: 'account',
      values: ['b7e2f0c4', 'c1d09a55'],
      reason: 'Ring behind one local IP',
      expires_at: null,
    },
    answer: { saved: 2, replaced: 1, replaced_values: ['b7e2f0c4'] },
  },
  removeListEntry: {},
  importLists: {
    body: { csv: 'list,kind,value,reason\r\nallow,account,crew-17,Our own testers\r\n' },
    answer: { rows: 1, replaced: 0 },
  },
  exportLists: {},
}
