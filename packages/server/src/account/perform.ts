import { type AccountOperation, withLists } from '@inkling/contract/account'
import type { z } from 'zod'
import { AppError } from '../lib/errors.ts'
import { type AccountCaller, type AccountDeps, type Call, type Handler, inShareOf } from './handler.ts'

/** An operation with its handler, whose types the compiler cannot follow through a table. */
export interface Performable {
  operation: AccountOperation
  handler: (call: never, deps: AccountDeps) => Promise<unknown>
}

/** An operation with the handler that belongs to it. */
export const performable = <Operation extends AccountOperation>(
  operation: Operation,
  handler: Handler<Operation>,
): Performable => ({ operation, handler })

/** The parts of a request, not yet parsed. */
export interface GivenRequest {
  params?: unknown
  query?: unknown
  body?: unknown
}

/** @throws AppError `INK_INVALID_FIELD`, which names the first invalid field */
export const parseRequest = (
  { params, query, body }: Pick<AccountOperation, 'params' | 'query' | 'body'>,
  given: GivenRequest,
): { params: unknown; query: unknown; body: unknown } => ({
  params: parsed(params, given.params),
  query: query && parsed(query, withLists(query, given.query as object)),
  body: parsed(body, given.body),
})

function parsed(schema: z.ZodType | undefined, given: unknown): unknown {
  if (!schema) return undefined
  const result = schema.safeParse(given)
  if (result.success) return result.data
  const [issue] = result.error.issues
  const field = issue?.path.join('.') ?? ''
  throw new AppError(
    'INK_INVALID_FIELD',
    `${field === '' ? 'request' : field}: ${issue?.message ?? 'invalid'}`,
  )
}

/**
 * Performs an operation for a user in another way than by its route: for an assistant that acts for them, or because
 * they confirmed what one proposed. Role and request are checked like there; what needs a recent proof is refused.
 * @throws AppError for what the caller may read
 */
export async function performFor(
  caller: AccountCaller,
  { operation, handler }: Performable,
  given: GivenRequest,
  deps: AccountDeps,
  http: Call<AccountOperation>['http'],
): Promise<unknown> {
  if (operation.access !== 'analyst' && operation.access !== 'owner') throw new AppError('INK_INVALID_TOKEN')
  if (operation.access === 'owner' && caller.role !== 'owner') throw new AppError('INK_OWNER_ONLY')
  if (operation.proof === 'recent') throw new AppError('INK_PROOF_NEEDED')
  const call = { ...parseRequest(operation, given), caller, http }
  return inShareOf(caller, deps.store)(() => handler(call as never, deps))
}
