import { ASSISTANT_SCOPES } from '@inkling/contract/account'
import {
  OAuthClientMetadataSchema,
  type OAuthMetadata,
  type OAuthProtectedResourceMetadata,
} from '@modelcontextprotocol/sdk/shared/auth.js'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { AccountDeps } from '../account/handler.ts'
import { registerAssistant } from '../auth/assistants/registration.ts'
import { isThisServer, mcpUrl } from '../auth/assistants/requests.ts'
import { exchangeCode, type IssuedTokens, refreshGrant, revokeToken } from '../auth/assistants/tokens.ts'
import { type SendError, sendJson } from '../lib/answers.ts'
import { type RateLimit, takeOne } from '../lib/limits.ts'

const BODY_BYTES_MAX = 16 * 1_024

interface OauthDeps extends Pick<AccountDeps, 'store' | 'clientAddress' | 'baseUrl' | 'now'> {
  /** Per client address. */
  limit: RateLimit
}

/** Errors of these routes have the form of RFC 6749, section 5.2. */
const sendOauthError: SendError = (reply, status, { error }) => {
  const code = status === 429 || status === 503 ? 'temporarily_unavailable' : 'invalid_request'
  return sendJson(reply, status, { error: status === 500 ? 'server_error' : code, error_description: error })
}

const refuse = (reply: FastifyReply, error: string, error_description: string): FastifyReply =>
  sendJson(reply, 400, { error, error_description })

/** How assistants get tokens, except for the page where a person agrees, which is part of the dashboard. */
export function mountOauth(app: FastifyInstance, deps: OauthDeps): void {
  const issuer = deps.baseUrl.replace(/\/+$/, '')
  mountMetadata(app, issuer)
  app.removeAllContentTypeParsers()
  const asText = { parseAs: 'string', bodyLimit: BODY_BYTES_MAX } as const
  app.addContentTypeParser(
    ['application/x-www-form-urlencoded', 'application/json'],
    asText,
    (_request, text, done) => done(null, String(text)),
  )
  const post = (path: string, handler: (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>) =>
    app.post(path, { config: { sendError: sendOauthError } }, async (request, reply) => {
      reply.header('cache-control', 'no-store')
      await takeOne(
        deps.limit,
        deps.clientAddress(request.ip, request.headers['x-forwarded-for']?.toString()),
      )
      return handler(request, reply)
    })
  post('/oauth/register', (request, reply) => register(request, reply, deps))
  post('/oauth/token', (request, reply) => token(request, reply, deps))
  post('/oauth/revoke', (request, reply) => revoke(request, reply, deps))
}

/** Paths after the well-known name are those of the resource or the issuer (RFC 9728 and RFC 8414, section 3.1). */
function mountMetadata(app: FastifyInstance, issuer: string): void {
  const resource: OAuthProtectedResourceMetadata = {
    resource: mcpUrl(issuer),
    authorization_servers: [issuer],
    scopes_supported: [...ASSISTANT_SCOPES],
    bearer_methods_supported: ['header'],
    resource_name: 'Inkling',
  }
  const server: OAuthMetadata = {
    issuer,
    authorization_endpoint: `${issuer}/dashboard/connect`,
    token_endpoint: `${issuer}/oauth/token`,
    registration_endpoint: `${issuer}/oauth/register`,
    revocation_endpoint: `${issuer}/oauth/revoke`,
    scopes_supported: [...ASSISTANT_SCOPES],
    response_types_supported: ['code'],
    response_modes_supported: ['query'],
    grant_types_supported: ['authorization_code', 'refresh_token'],
    token_endpoint_auth_methods_supported: ['none'],
    revocation_endpoint_auth_methods_supported: ['none'],
    code_challenge_methods_supported: ['S256'],
    authorization_response_iss_parameter_supported: true,
  }
  const documents = { 'oauth-protected-resource': resource, 'oauth-authorization-server': server }
  for (const [name, document] of Object.entries(documents))
    for (const path of [`/.well-known/${name}`, `/.well-known/${name}/*`])
      app.get(path, (_request, reply) => sendJson(reply.header('cache-control', 'no-cache'), 200, document))
}

/** RFC 7591. Whatever way to prove itself an assistant asks for, it gets none, and the answer says so. */
async function register(request: FastifyRequest, reply: FastifyReply, deps: OauthDeps): Promise<unknown> {
  const metadata = OAuthClientMetadataSchema.safeParse(jsonOf(request.body))
  if (!metadata.success) return refuse(reply, 'invalid_client_metadata', 'redirect_uris and client_name')
  const { client_name: name = '', redirect_uris: redirectUris } = metadata.data
  const client = await registerAssistant(deps.store, { name, redirectUris }, deps.now())
  if (!client)
    return refuse(
      reply,
      'invalid_redirect_uri',
      'one to ten addresses over https, on this machine by http, or of a program by its own scheme',
    )
  return sendJson(reply, 201, {
    client_id: client.id,
    client_id_issued_at: Math.floor(client.createdAtMs / 1_000),
    client_name: client.name,
    redirect_uris: client.redirectUris,
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    token_endpoint_auth_method: 'none',
  })
}

function jsonOf(body: unknown): unknown {
  try {
    return JSON.parse(String(body))
  } catch {
    return undefined
  }
}

const TokenRequest = z.discriminatedUnion('grant_type', [
  z.object({
    grant_type: z.literal('authorization_code'),
    client_id: z.string(),
    code: z.string(),
    redirect_uri: z.string().optional(),
    code_verifier: z.string(),
    resource: z.string().optional(),
  }),
  z.object({
    grant_type: z.literal('refresh_token'),
    client_id: z.string(),
    refresh_token: z.string(),
    resource: z.string().optional(),
  }),
])

async function token(
  request: FastifyRequest,
  reply: FastifyReply,
  { store, baseUrl, now }: OauthDeps,
): Promise<unknown> {
  const form = formOf(request.body)
  if (!form) return refuse(reply, 'invalid_request', 'each parameter once')
  if (form.grant_type !== 'authorization_code' && form.grant_type !== 'refresh_token')
    return refuse(reply, 'unsupported_grant_type', 'authorization_code or refresh_token')
  const parsed = TokenRequest.safeParse(form)
  if (!parsed.success) return refuse(reply, 'invalid_request', 'a parameter is missing')
  const given = parsed.data
  if (given.resource !== undefined && !isThisServer(given.resource, baseUrl))
    return refuse(reply, 'invalid_target', 'resource: the URL of this MCP server')
  const issued =
    given.grant_type === 'authorization_code'
      ? await exchangeCode(
          store,
          {
            code: given.code,
            clientId: given.client_id,
            redirectUri: given.redirect_uri,
            verifier: given.code_verifier,
          },
          now(),
        )
      : await refreshGrant(store, { refreshToken: given.refresh_token, clientId: given.client_id }, now())
  if (!issued) return refuse(reply, 'invalid_grant', 'it was used, has expired, or was revoked')
  return sendJson(reply, 200, presentTokens(issued))
}

const presentTokens = ({ accessToken, refreshToken, expiresInSeconds, scopes }: IssuedTokens): object => ({
  access_token: accessToken,
  token_type: 'Bearer',
  expires_in: expiresInSeconds,
  refresh_token: refreshToken,
  scope: scopes,
})

/** RFC 7009: an unknown token is revoked already. */
async function revoke(
  request: FastifyRequest,
  reply: FastifyReply,
  { store, now }: OauthDeps,
): Promise<unknown> {
  const { token: text, client_id: clientId } = formOf(request.body) ?? {}
  if (text === undefined || clientId === undefined)
    return refuse(reply, 'invalid_request', 'token and client_id')
  await revokeToken(store, { token: text, clientId }, now())
  return sendJson(reply, 200, {})
}

/** Undefined where a parameter is given twice (RFC 6749, section 3.2). */
function formOf(body: unknown): Record<string, string | undefined> | undefined {
  const form = new URLSearchParams(typeof body === 'string' ? body : '')
  const names = [...form.keys()]
  return new Set(names).size === names.length ? Object.fromEntries(form) : undefined
}
