import type { FastifyRequest } from 'fastify'
import type { SignInMethod } from '../auth/sign-in-record.ts'
import { AppError } from '../lib/errors.ts'
import { DEVICE_COOKIE, readCookie } from './cookies.ts'
import type { AccountDeps } from './handler.ts'

type AttemptDeps = Pick<AccountDeps, 'throttle' | 'knownDevices' | 'signIns' | 'clientAddress'>

interface Guess {
  method: SignInMethod
  /** Whose account; in lower case, whether it exists or not. */
  email: string
}

/**
 * Runs a check of something that can be guessed, within the limits, and records how it ended. Undefined when it failed.
 * @throws AppError `INK_TOO_MANY_LOGINS`
 */
export async function guardedAttempt<Success>(
  request: FastifyRequest,
  { method, email }: Guess,
  deps: AttemptDeps,
  check: () => Promise<Success | undefined>,
): Promise<Success | undefined> {
  const { throttle, knownDevices, signIns } = deps
  const device = knownDevices.read(readCookie(request, DEVICE_COOKIE), email)
  let locking: Promise<void> | undefined
  try {
    const success = await throttle.attempt(
      {
        stranger: method === 'password',
        address: addressOf(request, deps),
        // Guesses of one kind leave the others their attempts.
        account: `${method} of ${email}`,
        device: device === undefined ? undefined : `${method} on ${device}`,
        onLocked: () => {
          locking = signIns.locked(method, email)
        },
      },
      check,
    )
    if (success === undefined) await signIns.failed(method, email)
    return success
  } catch (error) {
    await locking
    if (isRefusal(error)) signIns.refused(method)
    throw error
  }
}

/**
 * Counts what cannot be guessed, so that nobody does it without end.
 * @throws AppError `INK_TOO_MANY_LOGINS`
 */
export async function countedAttempt(
  request: FastifyRequest,
  method: SignInMethod,
  deps: AttemptDeps,
): Promise<void> {
  try {
    await deps.throttle.take(addressOf(request, deps))
  } catch (error) {
    if (isRefusal(error)) deps.signIns.refused(method)
    throw error
  }
}

const addressOf = (request: FastifyRequest, { clientAddress }: Pick<AccountDeps, 'clientAddress'>): string =>
  clientAddress(request.ip, request.headers['x-forwarded-for']?.toString())

const isRefusal = (error: unknown): boolean =>
  error instanceof AppError && error.code === 'INK_TOO_MANY_LOGINS'
