import { ASSISTANT_SCOPES } from '@inkling/contract/account'
import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js'
import type { FastifyInstance, FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify'
import { checkOrigin } from '../account/authorize.ts'
import type { AccountDeps } from '../account/handler.ts'
import { type AssistantCaller, readAssistantToken } from '../auth/assistants/tokens.ts'
import { bearerToken } from '../auth/keys.ts'
import { AppError } from '../lib/errors.ts'
import { type RateLimit, takeOne } from '../lib/limits.ts'
import { createAssistantServer } from './assistant-server.ts'
import { mountOauth } from './oauth-routes.ts'

/** A call of a tool is small. */
const BODY_BYTES_MAX = 128 * 1_024

export interface AssistantRoutesDeps {
  account: AccountDeps
  /** Of the server. */
  version: string
  /** Per connected assistant. */
  limit: RateLimit
  /** Per client address, for what needs no token. */
  oauthLimit: RateLimit
}

/** POST /mcp for assistants, and how they get the tokens for it. */
export const assistantRoutes =
  (deps: AssistantRoutesDeps): FastifyPluginAsync =>
  async (app) => {
    await app.register((scope, _options, done) => {
      mountOauth(scope, { ...deps.account, limit: deps.oauthLimit })
      done()
    })
    await app.register((scope, _options, done) => {
      mountMcp(scope, deps)
      done()
    })
  }

function mountMcp(app: FastifyInstance, { account, version, limit }: AssistantRoutesDeps): void {
  const { store, baseUrl, now } = account
  const callers = new WeakMap<FastifyRequest, AssistantCaller>()
  app.removeAllContentTypeParsers()
  app.addContentTypeParser(
    'application/json',
    { parseAs: 'string', bodyLimit: BODY_BYTES_MAX },
    (_request, text, done) => {
      try {
        done(null, JSON.parse(String(text)))
      } catch {
        done(new AppError('INK_INVALID_BODY', 'the body is not JSON'))
      }
    },
  )
  app.route({
    method: 'POST',
    url: '/mcp',
    // Before the body is read, so that an unauthorised request costs next to nothing.
    async onRequest(request, reply) {
      reply.header('cache-control', 'no-store')
      // A page that found out the address of this server may not use it (DNS rebinding).
      checkOrigin(request, baseUrl)
      const token = bearerToken(request.headers.authorization)
      const assistant = token === undefined ? undefined : await readAssistantToken(store, token, now())
      if (!assistant) {
        reply.header('www-authenticate', challenge(baseUrl, token !== undefined))
        throw new AppError('INK_INVALID_TOKEN')
      }
      await takeOne(limit, assistant.grantId)
      callers.set(request, assistant)
    },
    async handler(request, reply) {
      const assistant = callers.get(request)
      if (!assistant) throw new AppError('INK_INVALID_TOKEN')
      // MCP has had no batches since 2025-06-18, and one would pass the limit as a single call.
      if (Array.isArray(request.body))
        throw new AppError('INK_INVALID_BODY', 'the body must be one message, not a batch')
      const call = { assistant, deps: account, http: { request, reply }, version }
      const server = createAssistantServer(call)
      // No session: whatever an assistant needs is in its request, so any node can answer it.
      const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true })
      await server.connect(transport as Parameters<typeof server.connect>[0])
      try {
        return await forward(request, reply, transport)
      } finally {
        await server.close()
      }
    },
  })
  // The server sends nothing of its own accord, and there is no session to end.
  for (const method of ['GET', 'DELETE'] as const)
    app.route({
      method,
      url: '/mcp',
      handler: (_request, reply) => reply.code(405).header('allow', 'POST').send(),
    })
}

/** Where an assistant learns how to get a token (RFC 9728, section 5.1). */
function challenge(baseUrl: string, hadToken: boolean): string {
  const base = baseUrl.replace(/\/+$/, '')
  const parts = [
    ...(hadToken ? ['error="invalid_token"'] : []),
    `resource_metadata="${base}/.well-known/oauth-protected-resource/mcp"`,
    `scope="${ASSISTANT_SCOPES.join(' ')}"`,
  ]
  return `Bearer ${parts.join(', ')}`
}

async function forward(
  { headers, body }: FastifyRequest,
  reply: FastifyReply,
  transport: WebStandardStreamableHTTPServerTransport,
): Promise<FastifyReply> {
  const given = new Headers()
  for (const name of ['accept', 'content-type', 'mcp-protocol-version'] as const) {
    const value = headers[name]
    if (typeof value === 'string') given.set(name, value)
  }
  // The transport reads no more of it than the headers.
  const posted = new Request('http://localhost/mcp', { method: 'POST', headers: given })
  const answer = await transport.handleRequest(posted, { parsedBody: body })
  reply.code(answer.status)
  for (const [name, value] of answer.headers) reply.header(name, value)
  return reply.send(Buffer.from(await answer.arrayBuffer()))
}
