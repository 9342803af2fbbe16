import { z } from 'zod'
import { ROW } from '../openapi/example-visit.ts'
import { DomainPath, IdentifierType, IdentifierValue, NO_DOMAIN } from './fields.ts'
import type { AccountOperation, Examples } from './operation.ts'

const Identifier = z
  .strictObject({
    type: IdentifierType.describe('Which identifier'),
    value: IdentifierValue.describe('Its value; an empty one, such as the nil UUID, is an error'),
  })
  .describe('One identifier of a person')

export const ErasureBody = Identifier.extend({
  include: z
    .array(Identifier)
    .max(100)
    .default([])
    .describe(
      'Other identifiers of the person, erased as well: a preview names those that occur in the same rows',
    ),
}).describe('Identifiers to erase')

export const ErasurePreview = z
  .object({
    rows: z.int().describe('Identifications that would be removed'),
    complete: z.boolean().describe('False if there are more than were read'),
    tables: z
      .array(
        z.object({
          table: z.string().describe('Table of the database'),
          rows: z.int().describe('Rows of it that would be removed'),
        }),
      )
      .describe('The same by table, with what belongs to the identifications'),
    mentions: z
      .array(
        z.object({
          table: z.string().describe('Where they are, such as `labels`'),
          rows: z.int().describe('Rows of it with such a text'),
        }),
      )
      .describe(
        'Reasons, notes, titles, views and conditions of other subjects that name the identifiers. They stay: change them yourself',
      ),
    linked: z
      .array(
        Identifier.extend({
          rows: z.int().describe('Identifications with it, in all of the domain'),
        }).describe('An identifier that occurs in them'),
      )
      .describe('Other identifiers in the same rows, at most ten of each type'),
  })
  .describe('What an erasure would remove')
export type ErasurePreview = z.infer<typeof ErasurePreview>

export const ErasureAnswer = z
  .object({ rows: z.int().describe('Identifications that were removed') })
  .describe('Result of an erasure')
export type ErasureAnswer = z.infer<typeof ErasureAnswer>

export const PRIVACY_OPERATIONS = {
  eraseIdentifier: {
    method: 'POST',
    path: '/account/domains/{domain}/privacy/erase',
    access: 'privacy:write',
    proof: 'recent',
    summary: 'Erase every trace of one identifier',
    description:
      'Removes its identifications with their versions, snapshots, pending events and delivery bodies. The audit log records the erasure without the value.',
    params: DomainPath,
    body: ErasureBody,
    answer: ErasureAnswer,
    errors: NO_DOMAIN,
  },
  previewErasure: {
    method: 'POST',
    path: '/account/domains/{domain}/privacy/erase/preview',
    access: 'privacy:write',
    summary: 'Preview an erasure',
    description:
      'Counts what would be removed and names the other identifiers in the same rows. Removes nothing.',
    params: DomainPath,
    body: ErasureBody,
    answer: ErasurePreview,
    errors: NO_DOMAIN,
  },
  exportIdentifier: {
    method: 'GET',
    path: '/account/domains/{domain}/privacy/export',
    access: 'privacy:write',
    proof: 'recent',
    summary: 'Export everything stored under one identifier',
    description: 'Streams a JSON array of IdentificationDetail, newest first.',
    params: DomainPath,
    query: Identifier,
    answer: 'file',
    errors: NO_DOMAIN,
  },
} as const satisfies Record<string, AccountOperation>

export const PRIVACY_EXAMPLES: Examples<typeof PRIVACY_OPERATIONS> = {
  eraseIdentifier: {
    body: { type: 'user_hid', value: ROW.user_hid, include: [{ type: 'cookie_id', value: ROW.cookie_id }] },
    answer: { rows: 3 },
  },
  previewErasure: {
    body: { type: 'user_hid', value: ROW.user_hid, include: [] },
    answer: {
      rows: 3,
      complete: true,
      tables: [
        { table: 'identifications', rows: 3 },
        { table: 'snapshots', rows: 3 },
      ],
      mentions: [{ table: 'list_entries', rows: 1 }],
      linked: [{ type: 'cookie_id', value: ROW.cookie_id, rows: 4 }],
    },
  },
  exportIdentifier: {},
}
