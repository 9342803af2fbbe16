import type { AccountOperation } from '@inkling/contract/account'
import { AppError } from '../lib/errors.ts'
import { admit, admitFields } from './authorize.ts'
import { type AccountDeps, type Call, type Handler, inShareOf, type SignedInCaller } from './handler.ts'
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
 * they confirmed what one proposed. Roles and request are checked like there; what needs a recent proof is refused.
 * @throws AppError for what the caller may read
 */
export async function performFor(
  user: SignedInCaller,
  { operation, handler }: Performable,
  given: GivenRequest,
  deps: AccountDeps,
  http: Call<AccountOperation>['http'],
): Promise<unknown> {
  const caller = await admit(deps.store, user, operation, given)
  if (operation.proof === 'recent') throw new AppError('INK_PROOF_NEEDED')
  const parsed = parseRequest(operation, given)
  admitFields(operation, parsed.body, caller)
  const call = { ...parsed, caller, http }
  return inShareOf(caller, deps.store)(() => handler(call as never, deps))
}
