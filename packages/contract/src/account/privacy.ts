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

export const ErasureBody = Identifier

export const ErasureAnswer = z
  .object({ rows: z.int().describe('Identifications that were removed') })
  .describe('Result of an erasure')
export type ErasureAnswer = z.infer<typeof ErasureAnswer>

export const PRIVACY_OPERATIONS = {
  eraseIdentifier: {
    method: 'POST',
    path: '/account/domains/{domain}/privacy/erase',
    access: 'owner',
    summary: 'Erase every trace of one identifier',
    description:
      'Removes its identifications with their versions, snapshots, pending events and delivery bodies. The audit log records the erasure without the value.',
    params: DomainPath,
    body: ErasureBody,
    answer: ErasureAnswer,
    errors: NO_DOMAIN,
  },
  exportIdentifier: {
    method: 'GET',
    path: '/account/domains/{domain}/privacy/export',
    access: 'owner',
    summary: 'Export everything stored under one identifier',
    description: 'Streams a JSON array of IdentificationDetail, newest first.',
    params: DomainPath,
    query: Identifier,
    answer: 'file',
    errors: NO_DOMAIN,
  },
} as const satisfies Record<string, AccountOperation>

export const PRIVACY_EXAMPLES: Examples<typeof PRIVACY_OPERATIONS> = {
  eraseIdentifier: { body: { type: 'user_hid', value: ROW.user_hid }, answer: { rows: 3 } },
  exportIdentifier: {},
}
