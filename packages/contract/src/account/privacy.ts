import { z } from 'zod'
import { ROW } from '../openapi/examples/identification.ts'
import { DomainPath, IdentifierType, IdentifierValue, NO_DOMAIN } from './fields.ts'
import type { AccountOperation, Examples } from './operation.ts'

const Identifier = z
  .strictObject({
    type: IdentifierType.describe('Which identifier'),
    value: IdentifierValue.describe('Its value; one that names nobody is refused'),
  })
  .describe('One identifier of a person')

export const ErasureBody = Identifier

export const ErasureAnswer = z
  .object({ rows: z.int().describe('Identifications that were removed') })
  .describe('What was erased')
export type ErasureAnswer = z.infer<typeof ErasureAnswer>

export const PRIVACY_OPERATIONS = {
  eraseIdentifier: {
    method: 'POST',
    path: '/account/domains/{domain}/privacy/erase',
    access: 'owner',
    summary: 'Erase every trace of one identifier',
    description:
      'Removes its identifications with their versions, snapshots, waiting events and delivery bodies. The audit log keeps that something was erased, not what.',
    params: DomainPath,
    body: ErasureBody,
    answer: ErasureAnswer,
    refusals: NO_DOMAIN,
  },
  exportIdentifier: {
    method: 'GET',
    path: '/account/domains/{domain}/privacy/export',
    access: 'owner',
    summary: 'Export everything kept under one identifier',
    description: 'Streams a JSON array of IdentificationDetail, newest first.',
    params: DomainPath,
    query: Identifier,
    answer: 'file',
    refusals: NO_DOMAIN,
  },
} as const satisfies Record<string, AccountOperation>

export const PRIVACY_EXAMPLES: Examples<typeof PRIVACY_OPERATIONS> = {
  eraseIdentifier: { body: { type: 'user_hid', value: ROW.user_hid }, answer: { rows: 3 } },
  exportIdentifier: {},
}
