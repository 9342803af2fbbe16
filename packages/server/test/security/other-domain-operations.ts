import { randomUUID } from 'node:crypto'
import { SEARCH_TYPES } from '@inkling/contract'
import fc from 'fast-check'
import { ordinaryBody } from '../contract/bodies.ts'
import { type RawRequest, rawRequest } from '../contract/raw-request.ts'
import { from } from '../contract/roomy-settings.ts'
import type { Belongings } from './belongings.ts'
import { assessment } from './credential-table.ts'
import { type GuardedServer, OTHER, OURS } from './guarded-server.ts'

/** Operations with all credentials of one domain, aimed at the data of another. */

/** One request by the other domain, and the text it contained. */
export interface Operation {
  label: string
  run(server: GuardedServer): Promise<Outcome>
}

export interface Outcome {
  sent: string
  text: string
}

async function ask(server: GuardedServer, request: RawRequest): Promise<Outcome> {
  const { text, headers } = await rawRequest(server, request)
  return { sent: JSON.stringify(request), text: `${JSON.stringify(headers)} ${text}` }
}

async function account(server: GuardedServer, method: string, path: string, body?: object): Promise<Outcome> {
  const { text } = await server.account(method, `/account/domains/${OTHER}/${path}`, { body })
  return { sent: `${path} ${JSON.stringify(body)}`, text }
}

const operation = (label: string, run: Operation['run']): Operation => ({ label, run })

const bearer = (token: string) => ({ authorization: `Bearer ${token}` })

/** An identifier of our domain with its search type. */
const identifierOf = (ours: Belongings): fc.Arbitrary<{ type: string; value: string }> =>
  fc.constantFrom(...SEARCH_TYPES.flatMap((type) => ours.identifiers[type].map((value) => ({ type, value }))))

/** History and Management, with the older routes. */
const readings = (ours: Belongings): fc.Arbitrary<Operation> =>
  fc
    .record({
      identifier: identifierOf(ours),
      limit: fc.integer({ min: 1, max: 100 }),
      offset: fc.nat(30),
      form: fc.nat(8),
    })
    .map(({ identifier: { type, value }, limit, offset, form }) => {
      const search = `${type}/${encodeURIComponent(value)}?limit=${limit}&offset=${offset}`
      return operation(`reading ${form} ${search}`, (server) => {
        const { api_key, secret_key, public_key } = server.other
        const named = { ...bearer(secret_key), 'x-svc-domain': OTHER }
        const requests: RawRequest[] = [
          { path: `/api/v1/history/${search}`, headers: bearer(api_key) },
          { path: `/api/v1/history/no-such-type/x?limit=100`, headers: bearer(api_key) },
          { path: `/api/v1/explanation/${value}`, headers: bearer(api_key) },
          { path: `/v1/history/${search}`, headers: named },
          { path: `/v1/history/${search}`, headers: { ...named, 'x-svc-domain': OURS } },
          { path: `/${OTHER}:${secret_key}/history/${search}` },
          { path: `/pub/${public_key}/${secret_key}/history/${search}` },
          { path: `/pub/${server.keys.public_key}/${secret_key}/debug/${search}` },
          assessment(api_key, value),
        ]
        return ask(server, requests[form] ?? { path: '/' })
      })
    })

/** Visits of its own pages with identifiers of ours. */
const visits = (ours: Belongings): fc.Arbitrary<Operation> =>
  fc
    .record({
      requestId: fc.constantFrom(randomUUID(), ...ours.identifiers.request_id),
      cookieId: fc.constantFrom(...ours.identifiers.cookie_id),
      sessionId: fc.constantFrom(...ours.identifiers.session_id),
      user: fc.constantFrom(...ours.identifiers.user_hid),
      address: fc.constantFrom(...ours.identifiers.ip),
      origin: fc.constantFrom(`https://${OTHER}`, `https://${OURS}`),
      noscript: fc.boolean(),
    })
    .map(({ requestId, cookieId, sessionId, user, address, origin, noscript }) =>
      operation(`visit ${requestId} of ${origin}`, (server) => {
        const query = `publicKey=${server.other.public_key}`
        const headers = { origin, ...from(address) }
        if (noscript) return ask(server, { path: `/noscript?${query}`, headers })
        const body = ordinaryBody({ cookie_id: cookieId, session_id: sessionId, user_hid: user }, ours.device)
        return ask(server, { method: 'POST', path: `/snapshot/${requestId}?${query}`, headers, body })
      }),
    )

/** The account API on the paths of the other domain, with our IDs. */
const administration = (ours: Belongings): fc.Arbitrary<Operation> =>
  fc
    .record({
      identifier: identifierOf(ours),
      endpoint: fc.constantFrom(...ours.endpoints),
      finding: fc.constantFrom(...ours.findings),
      channel: fc.constantFrom(...ours.alertChannels),
      rule: fc.constantFrom(...ours.alertRules),
      view: fc.constantFrom(...ours.views),
      cursor: fc.constantFrom(...ours.cursors),
      kind: fc.nat(42),
    })
    .map(({ identifier: { type, value }, endpoint, finding, view, channel, rule, cursor, kind }) => {
      const query = `${type}=${encodeURIComponent(value)}`
      const range = 'from=2020-01-01T00:00:00Z&to=2020-02-01T00:00:00Z'
      const requests: [method: string, path: string, body?: object][] = [
        ['GET', `identifications?${query}`],
        ['GET', `identifications?cursor=${cursor}`],
        ['GET', 'identifications?not_band=rate_limited&not_country=Nowhere'],
        ['GET', `identifications/count?${query}`],
        ['GET', `identifications/export?format=json&${query}`],
        ['GET', `identifications/${value}`],
        ['GET', `entity?type=${type}&value=${encodeURIComponent(value)}`],
        ['GET', `device-changes?device_id=${encodeURIComponent(value)}`],
        ['GET', `device-comparison?a=${encodeURIComponent(value)}&b=${encodeURIComponent(value)}`],
        ['GET', `find?q=${encodeURIComponent(value)}`],
        ['GET', `find?q=${encodeURIComponent(value.slice(0, 6))}`],
        ['GET', `find?q=${finding}`],
        ['GET', `overview?${range}`],
        ['GET', 'patterns?state=all'],
        ['GET', 'patterns/export?format=json&state=all'],
        ['GET', `patterns/${finding}`],
        ['GET', 'views'],
        ['POST', 'views', { page: 'identifications', name: 'theirs', search: 'country=Germany' }],
        ['PATCH', `views/${view}`, { name: 'theirs', shared: false }],
        ['DELETE', `views/${view}`],
        ['GET', 'endpoints'],
        ['GET', `endpoints/${endpoint}/deliveries`],
        ['PATCH', `endpoints/${endpoint}`, { enabled: false }],
        ['POST', `endpoints/${endpoint}/ping`],
        ['POST', `endpoints/${endpoint}/test`],
        ['POST', `endpoints/${endpoint}/rotate`],
        ['DELETE', `endpoints/${endpoint}`],
        ['POST', 'privacy/erase', { type, value }],
        ['GET', `privacy/export?type=${type}&value=${encodeURIComponent(value)}`],
        ['POST', 'rules', { weights: { browser_automation: 0, tor: 0 }, note: 'theirs' }],
        ['PATCH', 'rules', { version: 1 }],
        ['POST', 'back-test', { weights: { browser_automation: 99 } }],
        ['DELETE', 'back-test'],
        ['PATCH', '', { remaining: 5 }],
        ['GET', 'alerts'],
        ['GET', 'alert-channels'],
        ['GET', 'alert-rules'],
        ['PATCH', `alert-channels/${channel}`, { name: 'theirs' }],
        ['POST', `alert-channels/${channel}/test`],
        ['DELETE', `alert-channels/${channel}`],
        ['PATCH', `alert-rules/${rule}`, { enabled: true }],
        ['POST', `alert-rules/${rule}/mute`, { hours: 5 }],
        ['DELETE', `alert-rules/${rule}`],
        [
          'POST',
          'alert-rules',
          { name: 'theirs', when: { source: 'health', state: 'warn' }, channels: [channel] },
        ],
        ['POST', 'alert-rules', { name: 'theirs', when: { source: 'decision' }, channels: [] }],
      ]
      const [method, path, body] = requests[kind] ?? ['GET', 'rules']
      return operation(`${method} ${path}`, (server) =>
        account(server, method, path.replace(/\/$/, ''), body),
      )
    })

/** An arbitrary one of these operations. */
export const otherDomainOperation = (ours: Belongings): fc.Arbitrary<Operation> =>
  fc.oneof(readings(ours), visits(ours), administration(ours))
