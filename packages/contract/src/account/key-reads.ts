import { z } from 'zod'
import type { ApiKeyScope } from '../api-key-scopes.ts'
import { CASE_OPERATIONS } from './cases.ts'
import { EmailField } from './fields.ts'
import type { AccountOperationName } from './operations.ts'

interface KeyRead {
  path: `/api/v1/${string}`
  scope: ApiKeyScope
  /** Where it takes less than the operation does. */
  query?: z.ZodObject
}

/** A key is nobody whose cases these could be. */
const CaseQuery = CASE_OPERATIONS.listCases.query.extend({
  assignee: z
    .union([z.literal('none'), EmailField])
    .optional()
    .describe('`none`, or the e-mail address of a user'),
})

/** Operations of the account API that a named key reads as well. The domain is that of the key. */
export const KEY_READS = {
  listPatterns: { path: '/api/v1/patterns', scope: 'patterns:read' },
  getPattern: { path: '/api/v1/patterns/{finding_id}', scope: 'patterns:read' },
  getEntity: { path: '/api/v1/entity', scope: 'entities:read' },
  getDeviceChanges: { path: '/api/v1/device-changes', scope: 'entities:read' },
  compareDevices: { path: '/api/v1/device-comparison', scope: 'entities:read' },
  listEntries: { path: '/api/v1/lists', scope: 'lists:read' },
  listCases: { path: '/api/v1/cases', scope: 'cases:read', query: CaseQuery },
  getCase: { path: '/api/v1/cases/{case_id}', scope: 'cases:read' },
} as const satisfies Partial<Record<AccountOperationName, KeyRead>>

export type KeyReadName = keyof typeof KEY_READS
export const KEY_READ_NAMES = Object.keys(KEY_READS) as KeyReadName[]

export const keyRead = (name: KeyReadName): KeyRead => KEY_READS[name]
