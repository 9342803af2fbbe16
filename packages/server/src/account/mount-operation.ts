import type { AccountOperation, AccountOperationName } from '@inkling/contract/account'
import { ACCOUNT_OPERATIONS } from '@inkling/contract/account'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { z } from 'zod'
import { sendJson } from '../lib/answers.ts'
import { AppError } from '../lib/errors.ts'
import type { AccountDeps } from './account-deps.ts'
import { authorize } from './authorize.ts'
import type { Call, Caller, Handler, StreamedFile } from './handler.ts'

/** Mounts one operation: its credential, its role and the shape of its request are checked here, for all alike. */
export function mountOperation<Name extends AccountOperationName>(
  app: FastifyInstance,
  name: Name,
  handler: Handler<Name>,
  deps: AccountDeps,
): void {
  const operation: AccountOperation = ACCOUNT_OPERATIONS[name]
  const callers = new WeakMap<FastifyRequest, Caller>()
  app.route({
    method: operation.method,
    url: operation.path.replace(/\{(\w+)\}/g, ':$1'),
    // Before the body is read: a request without the right to ask costs next to nothing.
    async onRequest(request, reply) {
      // Answers tell of visitors, users and keys: no cache may keep them.
      reply.header('cache-control', 'no-store')
      const caller = await authorize(operation.access, request, deps)
      if (caller) callers.set(request, caller)
    },
    async handler(request, reply) {
      const call = {
        params: parsed(operation.params, request.params),
        query: parsed(operation.query, request.query),
        body: parsed(operation.body, request.body),
        caller: callers.get(request),
        http: { request, reply },
        // The table's types say what its schemas give; the compiler cannot follow them through a variable.
      } as Call<Name>
      return send(reply, operation, await handler(call, deps))
    },
  })
}

/** @throws AppError that names the first field that is wrong */
function parsed(schema: z.ZodType | undefined, given: unknown): unknown {
  if (!schema) return undefined
  const result = schema.safeParse(given)
  if (result.success) return result.data
  const [issue] = result.error.issues
  const field = issue?.path.join('.') ?? ''
  throw new AppError('INK_INVALID_FIELD', `${field === '' ? 'request' : field}: ${issue?.message ?? 'invalid'}`)
}

function send(reply: FastifyReply, { answer, status }: AccountOperation, result: unknown): FastifyReply {
  if (answer === 'nothing') return reply.code(204).send()
  if (answer === 'file') {
    const { type, name, content } = result as StreamedFile
    return reply.header('content-disposition', `attachment; filename="${name}"`).type(type).send(content)
  }
  return sendJson(reply, status ?? 200, result as object)
}
