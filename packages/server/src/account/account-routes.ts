import {
  ACCOUNT_OPERATIONS,
  type AccountOperation,
  type AccountOperationName,
} from '@inkling/contract/account'
import type { FastifyInstance, FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify'
import { sendJson } from '../lib/answers.ts'
import { AppError } from '../lib/errors.ts'
import { agentOperations } from './agents.ts'
import { alertOperations } from './alerts.ts'
import { apiKeyOperations } from './api-keys.ts'
import { assistantOperations } from './assistants.ts'
import { auditOperations } from './audit-log.ts'
import { admitFields, authorize } from './authorize.ts'
import { caseOperations } from './cases.ts'
import { decisionBackTestOperations } from './decision-back-test.ts'
import { decisionRuleOperations } from './decision-rules.ts'
import { decisionOperations } from './decisions.ts'
import { deviceOperations } from './devices.ts'
import { domainOperations } from './domains.ts'
import { endpointOperations } from './endpoints.ts'
import { entityOperations } from './entities.ts'
import { feedOperations } from './feeds.ts'
import { findOperations } from './find.ts'
import {
  type AccountCaller,
  type AccountDeps,
  type Handlers,
  inShareOf,
  type StreamedFile,
} from './handler.ts'
import { healthOperations } from './health.ts'
import { identificationOperations } from './identifications.ts'
import { invitationOperations } from './invitations.ts'
import { labelOperations } from './labels.ts'
import { listOperations } from './lists.ts'
import { memberOperations } from './members.ts'
import { myAccountOperations } from './my-account.ts'
import { overviewOperations } from './overview.ts'
import { parseRequest } from './parse-request.ts'
import { patternOperations } from './patterns.ts'
import type { Performable } from './perform.ts'
import { privacyOperations } from './privacy.ts'
import { proposalOperations } from './proposals.ts'
import { ruleOperations } from './rules.ts'
import { sessionOperations } from './session.ts'
import { signInOperations } from './sign-in.ts'
import { userOperations } from './users.ts'
import { viewOperations } from './views.ts'

/** The same on every surface; the error handler's text names it. */
const BODY_BYTES_MAX = 512 * 1024

/** The dashboard's API: mounts every operation of the contract. */
export const accountRoutes =
  (deps: AccountDeps): FastifyPluginAsync =>
  (app) => {
    // JSON only: another site's form cannot send it without a preflight request.
    app.removeAllContentTypeParsers()
    app.addContentTypeParser(
      'application/json',
      { parseAs: 'string', bodyLimit: BODY_BYTES_MAX },
      (_request, text, done) => {
        try {
          // A request may have this content type and no body.
          done(null, text === '' ? undefined : JSON.parse(String(text)))
        } catch {
          done(new AppError('INK_INVALID_BODY', 'the body is not JSON'))
        }
      },
    )
    for (const [name, operation] of Object.entries<AccountOperation>(ACCOUNT_OPERATIONS))
      mountOperation(app, operation, HANDLERS[name as AccountOperationName], deps)
    return Promise.resolve()
  }

/** Every operation's handler. An operation of the contract without one is a compile error. */
const HANDLERS: Handlers<typeof ACCOUNT_OPERATIONS> = {
  ...signInOperations,
  ...sessionOperations,
  ...myAccountOperations,
  ...assistantOperations,
  ...userOperations,
  ...invitationOperations,
  ...domainOperations,
  ...memberOperations,
  ...apiKeyOperations,
  ...endpointOperations,
  ...identificationOperations,
  ...viewOperations,
  ...entityOperations,
  ...deviceOperations,
  ...overviewOperations,
  ...patternOperations,
  ...privacyOperations,
  ...ruleOperations,
  ...agentOperations,
  ...listOperations,
  ...labelOperations,
  ...caseOperations,
  ...proposalOperations,
  ...alertOperations,
  ...decisionRuleOperations,
  ...decisionBackTestOperations,
  ...decisionOperations,
  ...findOperations,
  ...feedOperations,
  ...healthOperations,
  ...auditOperations,
}

/**
 * Those that do not wait for their user's share of the readers. Every other one does, so that a new operation cannot read
 * many visits or a long table beside it.
 */
const OUTSIDE_SHARE: ReadonlySet<unknown> = new Set<unknown>([
  // They read a few rows, and somebody with a slow search must still be able to sign out everywhere.
  ...Object.values({
    ...sessionOperations,
    ...myAccountOperations,
    ...assistantOperations,
    ...userOperations,
    ...invitationOperations,
    ...memberOperations,
    ...apiKeyOperations,
  }),
  // They wait for a receiver.
  endpointOperations.pingEndpoint,
  endpointOperations.testEndpoint,
  alertOperations.testAlertChannel,
  // It may take minutes, on connections of its own.
  privacyOperations.eraseIdentifier,
  // It performs another operation, which takes the share.
  proposalOperations.confirmProposal,
])

/** Mounts one operation. Credential, role and shape of the request are checked here, the same way for all. */
function mountOperation(
  app: FastifyInstance,
  operation: AccountOperation,
  handler: Performable['handler'],
  deps: AccountDeps,
): void {
  const callers = new WeakMap<FastifyRequest, AccountCaller>()
  /** Asked again once a body has arrived: that can take long, and session, role or proof may have ended meanwhile. */
  const callerOfWhole = async (request: FastifyRequest): Promise<AccountCaller | undefined> =>
    operation.method === 'GET' ? callers.get(request) : authorize(operation, request, deps)
  // A file is read after its handler, which takes the share for each part of it.
  const isShared = !OUTSIDE_SHARE.has(handler) && operation.answer !== 'file'
  app.route({
    method: operation.method,
    url: operation.path.replace(/\{(\w+)\}/g, ':$1'),
    ...(operation.bodyBytesMax !== undefined && { bodyLimit: operation.bodyBytesMax }),
    // Before the body is read, so that an unauthorised request costs next to nothing.
    async onRequest(request, reply) {
      // Answers hold personal data and keys: no cache may keep them.
      reply.header('cache-control', 'no-store')
      const caller = await authorize(operation, request, deps)
      if (caller) callers.set(request, caller)
    },
    async handler(request, reply) {
      const caller = await callerOfWhole(request)
      const parsed = parseRequest(operation, request)
      if (caller) admitFields(operation, parsed.body, caller)
      const call = { ...parsed, caller, http: { request, reply } }
      const run = (): Promise<unknown> => handler(call as never, deps)
      const result = caller && isShared ? inShareOf(caller, deps.store)(run) : run()
      return send(reply, operation, await result)
    },
  })
}

function send(reply: FastifyReply, { answer, status }: AccountOperation, result: unknown): FastifyReply {
  if (answer === 'nothing') return reply.code(204).send()
  if (answer === 'file') {
    const { type, name, content } = result as StreamedFile
    return reply.header('content-disposition', `attachment; filename="${name}"`).type(type).send(content)
  }
  return sendJson(reply, status ?? 200, result as object)
}
