import type { RawRequest } from '../contract/raw-request.ts'
import { type GuardedServer, OURS } from './guarded-server.ts'

/** The credential of a route outside the account API. */
export type Credential =
  | 'nothing'
  | 'public key'
  | 'secret key'
  | 'api key'
  | 'named key'
  | 'public and secret key'
  | 'assistant token'

export interface GuardedRoute {
  credential: Credential
  /** One request for each place of a credential, with the given text in that place. */
  ask(token: string, server: GuardedServer): RawRequest[]
}

export const SOME_ID = '0b5a3f0c-8d8e-4f55-9d49-7a51f3c0f0aa'
const SEARCH = 'user_hid/ada'

const get = (path: string, headers: RawRequest['headers'] = {}): RawRequest => ({ path, headers })
const bearer = (token: string) => ({ authorization: `Bearer ${token}` })
const page = { origin: `https://${OURS}` }

const open = (path: string, method = 'GET'): GuardedRoute => ({
  credential: 'nothing',
  ask: (token) => [{ ...get(path, bearer(token)), method }],
})
/** A named key with the scopes that the key of the domain lacks. */
const byNamedKey = (path: string): GuardedRoute => ({ ...byApiKey(path), credential: 'named key' })
const byApiKey = (path: string): GuardedRoute => ({
  credential: 'api key',
  ask: (token) => [get(path, bearer(token))],
})
/** A question about a visit. */
export const question = (token: string, requestId: string): RawRequest => ({
  path: '/api/v1/decide',
  method: 'POST',
  headers: { ...bearer(token), 'content-type': 'application/json' },
  body: JSON.stringify({ request_id: requestId, purpose: 'login', wait_ms: 0 }),
})
const label = (token: string): RawRequest => ({
  path: '/api/v1/labels',
  method: 'POST',
  headers: { ...bearer(token), 'content-type': 'application/json' },
  body: JSON.stringify({ kind: 'fraud', subject: { type: 'account', value: 'eve' }, source: 'test' }),
})
/** A request to assess, which names a visit. */
export const assessment = (token: string, requestId: string): RawRequest => ({
  path: '/api/v1/assess',
  method: 'POST',
  headers: { ...bearer(token), 'content-type': 'application/json' },
  body: JSON.stringify({
    method: 'GET',
    url: `https://${OURS}/`,
    address: '91.10.0.7',
    headers: [],
    request_id: requestId,
  }),
})
const bySecretKey = (path: string): GuardedRoute => ({
  credential: 'secret key',
  ask: (token) => [get(path, { ...bearer(token), 'x-svc-domain': OURS })],
})
const byPath = (path: string, sent: Partial<RawRequest> = {}): GuardedRoute => ({
  credential: 'secret key',
  ask: (token) => [{ ...get(`/${OURS}:${encodeURIComponent(token)}${path}`), ...sent }],
})
const byPage = (path: string, sent: Partial<RawRequest> = {}): GuardedRoute => ({
  credential: 'public key',
  ask: (token) => [{ ...get(`${path}?publicKey=${encodeURIComponent(token)}`, page), ...sent }],
})

/** Every route outside the account API; its own table lists the others. */
export const CREDENTIAL_TABLE: Record<string, GuardedRoute> = {
  'GET /health': open('/health'),
  'GET /ready': open('/ready'),
  'GET /': open('/'),
  'GET /landing.css': open('/landing.css'),
  'GET /agent.js': open('/agent.js'),
  'GET /agent.tgz': open('/agent.tgz'),
  'GET /sdk.tgz': open('/sdk.tgz'),
  'GET /embed.js': open('/embed.js'),
  'GET /honeytokens.js': open('/honeytokens.js'),
  'GET /snippet.js': open('/snippet.js'),
  'GET /agent/:file': open('/agent/any.js'),
  'GET /openapi.json': open('/openapi.json'),
  'GET /docs': open('/docs'),
  'GET /docs/reference.css': open('/docs/reference.css'),
  'GET /docs/reference.js': open('/docs/reference.js'),
  'GET /docs/redoc.js': open('/docs/redoc.js'),
  'GET /docs/redoc.svg': open('/docs/redoc.svg'),
  'GET /docs/inkling.svg': open('/docs/inkling.svg'),
  'GET /schemas/domain-profile.json': open('/schemas/domain-profile.json'),
  'GET /schemas/explanation.json': open('/schemas/explanation.json'),
  'GET /schemas/history-page.json': open('/schemas/history-page.json'),
  'GET /schemas/history-row.json': open('/schemas/history-row.json'),
  'GET /schemas/identification-scored.json': open('/schemas/identification-scored.json'),
  'GET /schemas/ingest-body.json': open('/schemas/ingest-body.json'),
  'GET /schemas/legacy-snapshot.json': open('/schemas/legacy-snapshot.json'),
  'GET /schemas/pattern-changed.json': open('/schemas/pattern-changed.json'),
  'GET /schemas/change-feed-line.json': open('/schemas/change-feed-line.json'),
  'GET /schemas/decision-changed.json': open('/schemas/decision-changed.json'),
  'GET /schemas/device-merged.json': open('/schemas/device-merged.json'),
  'GET /schemas/device-split.json': open('/schemas/device-split.json'),
  'GET /schemas/webhook-ping.json': open('/schemas/webhook-ping.json'),
  'GET /dashboard': open('/dashboard'),
  'GET /dashboard/': open('/dashboard/'),
  'GET /dashboard/*': open('/dashboard/domains'),
  'GET /dashboard/assets/:name': open('/dashboard/assets/none.js'),
  'GET /dashboard/color-scheme.js': open('/dashboard/color-scheme.js'),
  'GET /dashboard/inkling.svg': open('/dashboard/inkling.svg'),
  'GET /demo': open('/demo'),
  'GET /demo/': open('/demo/'),
  'GET /demo/index.html': open('/demo/index.html'),
  'GET /demo/demo.css': open('/demo/demo.css'),
  'GET /demo/demo.js': open('/demo/demo.js'),
  'GET /demo/inkling.svg': open('/demo/inkling.svg'),
  'GET /demo/session': open('/demo/session'),
  'GET /demo/verdict/:requestId': open(`/demo/verdict/${SOME_ID}`),
  'GET /demo/device/:deviceId': open(`/demo/device/${SOME_ID}`),
  'POST /demo/webhook': open('/demo/webhook', 'POST'),
  'GET /.well-known/oauth-protected-resource': open('/.well-known/oauth-protected-resource'),
  'GET /.well-known/oauth-protected-resource/*': open('/.well-known/oauth-protected-resource/mcp'),
  'GET /.well-known/oauth-authorization-server': open('/.well-known/oauth-authorization-server'),
  'GET /.well-known/oauth-authorization-server/*': open('/.well-known/oauth-authorization-server/x'),
  'POST /oauth/register': open('/oauth/register', 'POST'),
  'POST /oauth/token': open('/oauth/token', 'POST'),
  'POST /oauth/revoke': open('/oauth/revoke', 'POST'),
  'GET /mcp': open('/mcp'),
  'DELETE /mcp': open('/mcp', 'DELETE'),
  'POST /mcp': {
    credential: 'assistant token',
    ask: (token) => [{ ...get('/mcp', bearer(token)), method: 'POST' }],
  },
  'OPTIONS /snapshot/*': open(`/snapshot/${SOME_ID}`, 'OPTIONS'),
  'POST /snapshot/*': byPage(`/snapshot/${SOME_ID}`, { method: 'POST', body: '{}' }),
  'GET /ticket/:requestId': byPage(`/ticket/${SOME_ID}`),
  'GET /noscript': byPage('/noscript'),
  'GET /api/v1/history/*': byApiKey(`/api/v1/history/${SEARCH}`),
  'GET /api/v1/explanation/:requestId': byApiKey(`/api/v1/explanation/${SOME_ID}`),
  'POST /api/v1/assess': {
    credential: 'api key',
    ask: (token) => [assessment(token, SOME_ID)],
  },
  'POST /api/v1/decide': {
    credential: 'api key',
    ask: (token) => [question(token, SOME_ID)],
  },
  'POST /api/v1/labels': {
    credential: 'api key',
    ask: (token) => [label(token)],
  },
  'GET /api/v1/patterns': byNamedKey('/api/v1/patterns'),
  'GET /api/v1/patterns/:finding_id': byNamedKey('/api/v1/patterns/1'),
  'GET /api/v1/device-changes': byNamedKey(`/api/v1/device-changes?device_id=${SOME_ID}`),
  'GET /api/v1/device-comparison': byNamedKey(`/api/v1/device-comparison?a=${SOME_ID}&b=${SOME_ID}`),
  'GET /api/v1/entity': byNamedKey('/api/v1/entity?type=user_hid&value=ada'),
  'GET /api/v1/lists': byNamedKey('/api/v1/lists'),
  'GET /api/v1/cases': byNamedKey('/api/v1/cases'),
  'GET /api/v1/cases/:case_id': byNamedKey('/api/v1/cases/1'),
  'GET /v1/profile': bySecretKey('/v1/profile'),
  'GET /v1/history/*': bySecretKey(`/v1/history/${SEARCH}`),
  'GET /:credentials/profile': byPath('/profile'),
  'GET /:credentials/history/*': byPath(`/history/${SEARCH}`),
  'POST /:credentials/callback': byPath('/callback', { method: 'POST', body: 'https://hook.example/' }),
  'GET /pub/*': {
    credential: 'public and secret key',
    ask: (token, { keys }) => [
      get(`/pub/${keys.public_key}/${encodeURIComponent(token)}/history/${SEARCH}`),
      get(`/pub/${encodeURIComponent(token)}/${keys.secret_key}/history/${SEARCH}`),
    ],
  },
}
