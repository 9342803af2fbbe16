import type { z } from 'zod'
import { AUDIT_OPERATIONS } from './audit.ts'
import { DELIVERY_OPERATIONS } from './deliveries.ts'
import { DOMAIN_OPERATIONS } from './domains.ts'
import { ENDPOINT_OPERATIONS } from './endpoints.ts'
import { ENTITY_OPERATIONS } from './entities.ts'
import { FEED_OPERATIONS } from './feeds.ts'
import { HEALTH_OPERATIONS } from './health.ts'
import { IDENTIFICATION_OPERATIONS } from './identifications.ts'
import type { AccountOperation } from './operation.ts'
import { OVERVIEW_OPERATIONS } from './overview.ts'
import { PATTERN_OPERATIONS } from './patterns.ts'
import { PRIVACY_OPERATIONS } from './privacy.ts'
import { RULE_OPERATIONS } from './rules.ts'
import { SESSION_OPERATIONS } from './session.ts'
import { USER_OPERATIONS } from './users.ts'

/** THE TABLE: every route of the account API with the credential and the role it asks for. */
export const ACCOUNT_OPERATIONS = {
  ...SESSION_OPERATIONS,
  ...USER_OPERATIONS,
  ...DOMAIN_OPERATIONS,
  ...ENDPOINT_OPERATIONS,
  ...DELIVERY_OPERATIONS,
  ...IDENTIFICATION_OPERATIONS,
  ...ENTITY_OPERATIONS,
  ...OVERVIEW_OPERATIONS,
  ...PATTERN_OPERATIONS,
  ...PRIVACY_OPERATIONS,
  ...RULE_OPERATIONS,
  ...FEED_OPERATIONS,
  ...HEALTH_OPERATIONS,
  ...AUDIT_OPERATIONS,
} as const satisfies Record<string, AccountOperation>

export type AccountOperationName = keyof typeof ACCOUNT_OPERATIONS

type Part<Name extends AccountOperationName, Key> = (typeof ACCOUNT_OPERATIONS)[Name] extends {
  [Known in Key & string]: infer Schema extends z.ZodType
}
  ? z.output<Schema>
  : undefined

/** What a request of an operation brings, parsed. */
export interface AccountRequest<Name extends AccountOperationName> {
  params: Part<Name, 'params'>
  query: Part<Name, 'query'>
  body: Part<Name, 'body'>
}

/** What an operation answers with; undefined for one that answers nothing or streams a file. */
export type AccountAnswer<Name extends AccountOperationName> = Part<Name, 'answer'>
