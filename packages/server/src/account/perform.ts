import type { AccountOperation } from '@inkling/contract/account'
import { AppError } from '../lib/errors.ts'
import { type AccountCaller, type AccountDeps, type Call, type Handler, inShareOf } from './handler.ts'
import { type GivenRequest, parseRequest } from './parse-request.ts'

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
