import type { Readable } from 'node:stream'
import type {
  ACCOUNT_OPERATIONS,
  AccountAnswer,
  AccountOperation,
  AccountOperationName,
  AccountRequest,
} from '@inkling/contract/account'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { SessionUser } from '../store/users/users.ts'
import type { AccountDeps } from './account-deps.ts'

/** A file that is written while it is sent. */
export interface StreamedFile {
  type: string
  name: string
  content: Readable
}

/** Whoever asks, in the session whose access token they brought. */
export interface Caller extends SessionUser {
  sessionId: number
}

export interface Call<Name extends AccountOperationName> extends AccountRequest<Name> {
  /** Undefined exactly where the operation asks for no access token. */
  caller: CallerOf<(typeof ACCOUNT_OPERATIONS)[Name]>
  /** For the few operations that read or set more than a body. */
  http: { request: FastifyRequest; reply: FastifyReply }
}

type CallerOf<Operation extends AccountOperation> = Operation['access'] extends 'analyst' | 'owner'
  ? Caller
  : undefined

type Result<Name extends AccountOperationName> = (typeof ACCOUNT_OPERATIONS)[Name]['answer'] extends 'file'
  ? StreamedFile
  : (typeof ACCOUNT_OPERATIONS)[Name]['answer'] extends 'nothing'
    ? undefined
    : AccountAnswer<Name>

/**
 * Does what one operation promises. Credential, role and shape of the request have been checked.
 * @throws AppError for what the caller may read; anything else becomes a blank 500
 */
export type Handler<Name extends AccountOperationName> = (
  call: Call<Name>,
  deps: AccountDeps,
) => Promise<Result<Name>>
