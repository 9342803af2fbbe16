import { ACCOUNT_OPERATIONS, type AccountOperationName } from '@inkling/contract/account'
import type { FastifyInstance, FastifyPluginAsync } from 'fastify'
import { AppError } from '../lib/errors.ts'
import type { AccountDeps } from './account-deps.ts'
import { HANDLERS } from './handlers.ts'
import { mountOperation } from './mount-operation.ts'

/** The limit that the error door tells of, the same on every surface. */
const BODY_BYTES_MAX = 512 * 1024

/** The surface that the dashboard works with: every operation of the contract's table. */
export const accountRoutes =
  (deps: AccountDeps): FastifyPluginAsync =>
  (app) => {
    // JSON only: a form of another site cannot send it without asking first.
    app.removeAllContentTypeParsers()
    app.addContentTypeParser(
      'application/json',
      { parseAs: 'string', bodyLimit: BODY_BYTES_MAX },
      (_request, text, done) => {
        try {
          // No body is no body, whatever its type says.
          done(null, text === '' ? undefined : JSON.parse(String(text)))
        } catch {
          done(new AppError('INK_INVALID_BODY', 'the body is not JSON'))
        }
      },
    )
    for (const name of Object.keys(ACCOUNT_OPERATIONS) as AccountOperationName[]) mount(app, name, deps)
    return Promise.resolve()
  }

const mount = <Name extends AccountOperationName>(
  app: FastifyInstance,
  name: Name,
  deps: AccountDeps,
): void => mountOperation(app, name, HANDLERS[name], deps)
