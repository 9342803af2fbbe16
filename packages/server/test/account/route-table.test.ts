import { NIL_UUID } from '@inkling/contract'
import { ACCOUNT_OPERATIONS, type AccountOperation } from '@inkling/contract/account'
import Fastify, { type RouteOptions } from 'fastify'
import { describe, expect, test } from 'vitest'
import { accountRoutes } from '../../src/account/account-routes.ts'
import type { AccountDeps } from '../../src/account/handler.ts'
import type { Store } from '../../src/store/store.ts'
import { accountSurface } from './account-surface.ts'

/** Checks that the mounted routes enforce the credentials and roles of the route table. */

const OPERATIONS = Object.entries(ACCOUNT_OPERATIONS as Record<string, AccountOperation>)
const CHANGING = OPERATIONS.filter(([, { method }]) => method !== 'GET')

/** A path with existing objects, so that only the credential can fail. */
const pathOf = ({ path }: AccountOperation): string =>
  path
    .replaceAll('{domain}', 'shop.example')
    .replaceAll('{kind}', 'api')
    .replace('{request_id}', '0b5a3f0c-8d8e-4f55-9d49-7a51f3c0f0aa')
    .replace(/\{\w+_id\}/, '1')

/** All rows that a route could change: those of every table except the identifications. */
async function everything({ reads }: Store): Promise<string> {
  const tables = [
    'domains',
    'endpoints',
    'users',
    'domain_members',
    'invitations',
    'sessions',
    'audit',
    'directory_version',
    'domain_rules',
    'agent_policies',
    'list_entries',
    'labels',
    'cases',
    'case_events',
    'alert_channels',
    'alert_rules',
    'saved_views',
    'assistant_grants',
    'assistant_proposals',
    'api_keys',
    'decision_rules',
    'decision_thresholds',
  ] as const
  const rows = await Promise.all(tables.map((table) => reads.selectFrom(table).selectAll().execute()))
  return JSON.stringify(rows)
}

describe('the route table', () => {
  test('has exactly the mounted routes', async () => {
    const app = Fastify({ exposeHeadRoutes: false })
    const mounted: string[] = []
    app.addHook('onRoute', ({ method, url }: RouteOptions) => void mounted.push(`${String(method)} ${url}`))
    await app.register(accountRoutes({} as AccountDeps))
    await app.ready()
    const declared = OPERATIONS.map(
      ([, { method, path }]) => `${method} ${path.replace(/\{(\w+)\}/g, ':$1')}`,
    )
    expect(mounted.sort()).toEqual(declared.sort())
    expect(new Set(declared).size).toBe(declared.length)
  })

  test('requires a right to write, or an owner, for every change except those of one’s own', () => {
    const open = CHANGING.filter(([, { access }]) => access !== 'owner' && !access.endsWith(':write'))
    for (const [name, { path }] of open)
      expect(path, name).toMatch(/^\/account\/(login|session|me)\/?|^\/account\/invitations\/(open|accept)$/)
    expect(open.map(([name]) => name)).toContain('changeOwnPassword')
  })

  test('requires a right in the domain wherever a path names one, and an owner or a proof elsewhere', () => {
    for (const [name, { path, access }] of OPERATIONS)
      if (path.includes('{domain}')) expect(access, name).toMatch(/^[a-z-]+:(read|write|export)$/)
      else if (access.includes(':'))
        expect([
          'checkDecisionCondition',
          'getSystemHealth',
          'listDecisionFacts',
          'listFeeds',
          'listReadyMadeRules',
        ]).toContain(name)
  })

  test('requires a recent proof for keys, exports, new receivers, erasures, users and second factors', () => {
    const proven = OPERATIONS.filter(([, { proof }]) => proof === 'recent').map(([name]) => name)
    expect(proven.sort()).toEqual([
      'addAlertChannel',
      'addApiKey',
      'addEndpoint',
      'addPasskey',
      'answerAssistant',
      'changeAlertChannel',
      'changeUser',
      'confirmAuthenticator',
      'eraseIdentifier',
      'exportIdentifications',
      'exportIdentifier',
      'exportLabels',
      'exportLists',
      'exportPatterns',
      'giveRole',
      'inviteMember',
      'invitePasswordChange',
      'inviteUser',
      'removeAuthenticator',
      'removePasskey',
      'removeSecondFactor',
      'removeUser',
      'renewRecoveryCodes',
      'rotateApiKey',
      'rotateKey',
      'rotateSecret',
      'rotateVerdictKey',
      'startAuthenticator',
      'startPasskey',
      'takeRole',
    ])
  })

  test('declares each parameter of a path', () => {
    for (const [name, { path, params }] of OPERATIONS)
      expect(Object.keys(params?.shape ?? {}), name).toEqual(
        [...path.matchAll(/\{(\w+)\}/g)].map(([, parameter]) => parameter),
      )
  })
})

describe('without a login', () => {
  test('every route but those to sign in is 401 and changes nothing', async () => {
    const { ask, store } = await accountSurface()
    const before = await everything(store)
    for (const [name, operation] of OPERATIONS.filter(([, { access }]) => access !== 'anyone')) {
      const payload = operation.method === 'GET' ? {} : { payload: {} }
      for (const token of [undefined, 'forged.token.x']) {
        const answer = await ask({ method: operation.method, url: pathOf(operation), token, ...payload })
        expect(answer.statusCode, name).toBe(401)
        expect(Object.keys(answer.json())).toEqual(['error'])
      }
    }
    expect(await everything(store)).toBe(before)
  })
})

/** What analysts of the installation may, as before domains had roles. */
const OPEN_TO_ANALYSTS = [
  'anyone',
  'user',
  'domain:read',
  'visits:read',
  'visits:export',
  'cases:write',
  'health:read',
]

describe('with the role of an analyst of the installation', () => {
  test('every route that makes changes or requires an owner fails and changes nothing', async () => {
    const { ask, store, tokens } = await accountSurface()
    const before = await everything(store)
    const refused = OPERATIONS.filter(([, { access }]) => !OPEN_TO_ANALYSTS.includes(access))
    for (const [name, operation] of refused) {
      const payload = operation.method === 'GET' ? {} : { payload: {} }
      const url = pathOf(operation)
      const answer = await ask({ method: operation.method, url, token: tokens.analyst, ...payload })
      const expected = operation.access === 'cookie' ? 401 : 403
      expect(answer.statusCode, name).toBe(expected)
    }
    expect(await everything(store)).toBe(before)
  })

  test('routes for analysts work', async () => {
    const { ask, tokens } = await accountSurface()
    for (const url of ['/account/me', '/account/domains', '/account/domains/shop.example'])
      expect((await ask({ url, token: tokens.analyst })).statusCode).toBe(200)
  })
})

describe('bad input', () => {
  test('is an error that names the field and changes nothing, on every route that makes changes', async () => {
    const { ask, store } = await accountSurface()
    const before = await everything(store)
    // Without an identity provider its routes are not there at all.
    const withBody = CHANGING.filter(
      ([, { body, path }]) => body !== undefined && !path.includes('/provider'),
    )
    for (const [name, operation] of withBody)
      for (const payload of [
        { surplus: 1 },
        {},
        [],
        'null',
        { email: 1, password: [], role: 'admin', enabled: 'yes', url: 7 },
      ]) {
        const headers = { 'content-type': 'application/json' }
        const answer = await ask({ method: operation.method, url: pathOf(operation), headers, payload })
        expect(answer.statusCode, `${name} ${JSON.stringify(payload)}`).toBe(400)
        expect(answer.json()).toEqual({ error: expect.any(String) })
      }
    expect(await everything(store)).toBe(before)
  })

  test('malformed JSON, another content type and a large body are errors', async () => {
    const { ask } = await accountSurface()
    const post = (contentType: string, payload: string) =>
      ask({ method: 'POST', url: '/account/domains', headers: { 'content-type': contentType }, payload })
    expect((await post('application/json', '{')).statusCode).toBe(400)
    expect((await post('text/plain', '{"domain":"a.example"}')).statusCode).toBe(415)
    expect((await post('application/x-www-form-urlencoded', 'domain=a.example')).statusCode).toBe(415)
    expect((await post('application/json', `"${'a'.repeat(513 * 1024)}"`)).statusCode).toBe(413)
  })

  test('a missing domain, user or endpoint is a 404 with a text', async () => {
    const { ask } = await accountSurface()
    const named = OPERATIONS.filter(([, { params, access }]) => params && access !== 'cookie')
    for (const [name, operation] of named) {
      const url = pathOf(operation)
        .replace('shop.example', 'nobody.example')
        .replace(/(users|sessions|passkeys|invitations|assistants)\/1/, '$1/999')
      const good = GOOD[name] ?? {}
      const answer = await ask({ method: operation.method, url, ...good })
      expect(answer.statusCode, name).toBe(404)
      expect(answer.json()).toEqual({
        error: expect.stringMatching(/^no such (domain|user|session|passkey|invitation|assistant)$/),
      })
    }
  })
})

describe('the share of the readers', () => {
  test('is taken once by every operation of a domain that reads, and by files for each of their parts', async () => {
    const surface = await accountSurface()
    const { store, owner, ask } = surface
    let [taken, holding] = [0, false]
    store.inShare = async (key, run) => {
      expect([key, holding]).toEqual([`user ${owner.id}`, false])
      taken += 1
      holding = true
      return run().finally(() => {
        holding = false
      })
    }
    const outside: string[] = []
    const ofDomains = OPERATIONS.filter(([, { path }]) => path.startsWith('/account/domains'))
    for (const [name, operation] of ofDomains) {
      taken = 0
      const { statusCode } = await ask({
        method: operation.method,
        url: pathOf(operation),
        ...(GOOD[name] ?? (operation.method === 'GET' ? {} : { payload: {} })),
      })
      expect(statusCode, name).not.toBe(500)
      if (taken === 0) outside.push(name)
    }
    expect(outside.sort()).toEqual([
      'addApiKey',
      'confirmProposal',
      'eraseIdentifier',
      'giveRole',
      'inviteMember',
      'listApiKeys',
      'listMembers',
      'pingEndpoint',
      'revokeApiKey',
      'rotateApiKey',
      'takeRole',
      'testAlertChannel',
      'testEndpoint',
      'withdrawMemberInvitation',
    ])
  })
})

const SOME_ID = '5a0b2c6e-1c9f-4f0c-9a51-8c0f0a7d2b11'
const IDENTIFIER = { type: 'user_hid', value: 'ada' }
const DAY = { from: '2026-11-20T00:00:00Z', to: '2026-11-21T00:00:00Z' }

/** Valid bodies and queries of the operations of domains and of those with parameters in their path. */
const GOOD: Record<string, { payload?: object; query?: Record<string, string> }> = {
  changeUser: { payload: { role: 'analyst' } },
  addDomain: { payload: { domain: 'new.example' } },
  changeDomain: { payload: { enabled: false } },
  rotateVerdictKey: { payload: { at_once: false } },
  addApiKey: { payload: { name: 'Checkout', scopes: ['decide'] } },
  rotateApiKey: { payload: { overlap_hours: 0 } },
  giveRole: { payload: { email: 'ada@shop.example', role: 'reviewer' } },
  inviteMember: { payload: { email: 'ada@shop.example', role: 'reviewer' } },
  addEndpoint: { payload: { url: 'https://shop.example/hook' } },
  changeEndpoint: { payload: { enabled: false } },
  getEntity: { query: IDENTIFIER },
  getDeviceChanges: { query: { device_id: SOME_ID } },
  compareDevices: { query: { a: SOME_ID, b: SOME_ID } },
  findAnything: { query: { q: 'ada' } },
  getOverview: { query: DAY },
  getOverviewValues: { query: { ...DAY, dimension: 'country' } },
  eraseIdentifier: { payload: IDENTIFIER },
  previewErasure: { payload: IDENTIFIER },
  exportIdentifier: { query: IDENTIFIER },
  addDecisionRule: { payload: { name: 'All', condition: 'true', effect: { action: 'review' } } },
  changeDecisionRule: { payload: { state: 'on' } },
  setDecisionThresholds: { payload: { review: 30, challenge: null, deny: null } },
  tryDecisionRules: { payload: { request_id: NIL_UUID, purpose: 'login' } },
  addReadyMadeRules: { payload: { set: 'login' } },
  startDecisionBackTest: { payload: { purpose: 'login' } },
  saveListEntry: { payload: { list: 'deny', kind: 'asn', value: '1' } },
  saveListEntries: { payload: { list: 'deny', kind: 'asn', values: ['1'] } },
  importLists: { payload: { csv: 'list,kind,value\n' } },
  saveLabel: {
    payload: { kind: 'fraud', subject: { type: 'account', value: 'ada' }, source: 'review' },
  },
  importLabels: { payload: { csv: 'kind,subject_type,subject_value,source\n' } },
  openCase: { payload: { subject: { type: 'account', value: 'ada' } } },
  changeCase: { payload: { priority: 'low' } },
  changeCases: { payload: { numbers: [1], status: 'closed' } },
  addToCase: { payload: { note: 'Seen' } },
  decideCase: { payload: { action: 'allow' } },
  addAlertChannel: {
    payload: { name: 'Team', settings: { kind: 'webhook', url: 'https://shop.example/hook' } },
  },
  changeAlertChannel: { payload: { name: 'Team' } },
  addAlertRule: { payload: { name: 'Denied', when: { source: 'decision', action: 'deny' }, channels: [] } },
  changeAlertRule: { payload: { enabled: false } },
  muteAlertRule: { payload: { hours: 1 } },
  saveView: { payload: { page: 'identifications', name: 'All', search: '' } },
  changeView: { payload: { shared: true } },
  saveRules: { payload: { weights: {} } },
  saveAgentPolicy: { payload: { rules: [] } },
  chooseRules: { payload: { version: null } },
  startBackTest: { payload: { weights: {} } },
}
