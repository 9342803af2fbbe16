import {
  ACCOUNT_OPERATIONS,
  type AccountOperation,
  KEY_READ_NAMES,
  type KeyReadName,
  keyRead,
} from '@inkling/contract/account'
import type { FastifyPluginAsync } from 'fastify'
import type { AdmitKey } from '../auth/admit-key.ts'
import { sendJson } from '../lib/answers.ts'
import { type RateLimit, takeOne } from '../lib/limits.ts'
import { caseOperations } from './cases.ts'
import { deviceOperations } from './devices.ts'
import { entityOperations } from './entities.ts'
import type { AccountDeps, Handlers } from './handler.ts'
import { listOperations } from './lists.ts'
import { parseRequest } from './parse-request.ts'
import { patternOperations } from './patterns.ts'

export interface KeyReadDeps {
  account: AccountDeps
  admit: AdmitKey
  /** Per domain, shared with History. */
  limit: RateLimit
}

/** The operations themselves: what a key reads is what a person reads. `keyRead` leaves out what depends on who asks. */
const HANDLERS: Pick<Handlers<typeof ACCOUNT_OPERATIONS>, KeyReadName> = {
  ...patternOperations,
  ...entityOperations,
  ...deviceOperations,
  ...listOperations,
  ...caseOperations,
}

/** A handler whose types the compiler cannot follow through the table. */
type AnyHandler = (call: never, deps: AccountDeps) => Promise<unknown>

/** What a customer's backend reads of the dashboard's data, with a named key. */
export const keyReadRoutes =
  (deps: KeyReadDeps): FastifyPluginAsync =>
  (app) => {
    const { account, admit, limit } = deps
    for (const name of KEY_READ_NAMES) {
      const operation: AccountOperation = ACCOUNT_OPERATIONS[name]
      const { path, scope, query = operation.query } = keyRead(name)
      const handler: AnyHandler = HANDLERS[name]
      app.get(path.replace(/\{(\w+)\}/g, ':$1'), async (request, reply) => {
        const domain = admit(request.headers.authorization, scope)
        await takeOne(limit, domain.name)
        const params = { ...(request.params as object), domain: domain.name }
        const call = parseRequest({ params: operation.params, query }, { params, query: request.query })
        const run = (): Promise<unknown> => handler(call as never, account)
        const result = await account.store.inShare(`domain ${domain.id}`, run)
        // It holds personal data: no cache may keep it.
        return sendJson(reply.header('cache-control', 'no-store'), 200, result as object)
      })
    }
    return Promise.resolve()
  }
