import type { z } from 'zod'
import type {
  ACCOUNT_OPERATIONS,
  AccountAnswer,
  AccountDomain,
  AccountOperationName,
  AccountUser,
  Delivery,
  SessionAnswer,
  WebhookEndpoint,
} from '../../account/index.ts'
import { OPERATOR_EXAMPLES } from './account-operator.ts'
import { OVERVIEW_EXAMPLES } from './account-overview.ts'
import { FINDING, PATTERN_EXAMPLES } from './account-patterns.ts'
import { EXPLANATION, REQUEST_ID, ROW, SCORED } from './identification.ts'

/** One body and one answer of each operation of the account API. */

const USER: AccountUser = {
  id: 1,
  email: 'ada@example.com',
  role: 'owner',
  created_at: '2026-01-15T09:30:00.000Z',
}
const SIGNED_IN = { id: USER.id, email: USER.email, role: USER.role }

const SESSION: SessionAnswer = {
  access_token: 'eyJhbGciOiJIUzI1NiIsInR5cCI6ImF0K2p3dCJ9.e30.c2lnbmF0dXJl',
  expires_in: 600,
  user: SIGNED_IN,
}

const DOMAIN: AccountDomain = {
  domain: 'example.com',
  enabled: true,
  remaining: 98_231,
  created_at: '2026-01-15T09:30:00.000Z',
  public_key: '8c7d6e5f4a3b2c1d0e9f8a7b6c5d4e3f',
  secret_key_tail: '41ab',
  identifications_last_day: 1_840,
  last_identification_at: '2026-06-01T12:00:00.412Z',
  endpoints: 1,
}

const SECRET = 'whsec_0123456789abcdef0123456789abcdef'
const ENDPOINT: WebhookEndpoint = {
  id: 1,
  url: 'https://api.example.com/hooks/identification',
  state: 'verified',
  enabled: true,
  pattern_events: false,
  secret_tail: 'cdef',
  created_at: '2026-01-15T09:31:00.000Z',
}
const ATTEMPT = { id: 1, state: 'verified', status: 204, duration_ms: 48, error: null } as const

const DELIVERY: Delivery = {
  id: 7,
  endpoint_id: ENDPOINT.id,
  request_id: REQUEST_ID,
  event_id: '5c1d2e3f-4a5b-4c6d-8e7f-90a1b2c3d4e5',
  event_type: 'identification.scored',
  attempt: 1,
  sent_at: '2026-06-01T12:00:00.731Z',
  duration_ms: 48,
  status: 204,
  error: null,
  body: JSON.stringify(SCORED),
}

const { entries, clear, unknown } = EXPLANATION
const LINKED = { identifications: 3, last_seen_at: '2026-06-01T12:00:00.412Z' }

type Operations = typeof ACCOUNT_OPERATIONS
type BodyOf<Name extends AccountOperationName> = Operations[Name] extends {
  body: infer Body extends z.ZodType
}
  ? { body: z.input<Body> }
  : { body?: undefined }
type AnswerOf<Name extends AccountOperationName> =
  AccountAnswer<Name> extends undefined ? { answer?: undefined } : { answer: AccountAnswer<Name> }

export const ACCOUNT_EXAMPLES: { [Name in AccountOperationName]: BodyOf<Name> & AnswerOf<Name> } = {
  login: { body: { email: USER.email, password: 'correct horse battery' }, answer: SESSION },
  refreshSession: { answer: SESSION },
  logout: {},
  getMe: { answer: SIGNED_IN },
  listUsers: { answer: [USER] },
  addUser: { body: { email: USER.email, password: 'correct horse battery', role: 'owner' }, answer: USER },
  changeUser: { body: { role: 'analyst' }, answer: { ...USER, role: 'analyst' } },
  removeUser: {},
  listDomains: { answer: [DOMAIN] },
  addDomain: {
    body: { domain: 'example.com' },
    answer: {
      domain: 'example.com',
      public_key: DOMAIN.public_key,
      secret_key: '0f1e2d3c4b5a69788796a5b4c3d241ab',
      api_key: 'sec_k3j9x2m7-p5q8r1t4-v6w0y3z2',
    },
  },
  getDomain: { answer: DOMAIN },
  changeDomain: { body: { enabled: false }, answer: { ...DOMAIN, enabled: false } },
  rotateKey: { answer: { kind: 'public', key: '1c7d6e5f4a3b2c1d0e9f8a7b6c5d4e3f' } },
  listEndpoints: { answer: [ENDPOINT] },
  addEndpoint: {
    body: { url: ENDPOINT.url },
    answer: { ...ENDPOINT, state: 'unverified', secret: SECRET },
  },
  changeEndpoint: { body: { enabled: false }, answer: { ...ENDPOINT, enabled: false } },
  removeEndpoint: {},
  pingEndpoint: { answer: ATTEMPT },
  testEndpoint: { answer: ATTEMPT },
  rotateSecret: { answer: { id: 1, secret: SECRET, replaced: '**********************************9f3c' } },
  listDeliveries: { answer: { data: [DELIVERY], next: null } },
  searchIdentifications: { answer: { data: [ROW], next: 'WzE3ODAzMTUyMDA0MTIsN10' } },
  exportIdentifications: {},
  getIdentification: {
    answer: {
      row: ROW,
      band: 'suspicious',
      explanation: EXPLANATION,
      versions: [
        {
          ver: ROW.ver,
          score: ROW.score,
          connection_type: ROW.connection_type,
          rules: null,
          flags: ['proxy', 'datacenter_ip', 'timezone_mismatch', 'ip_mismatch'],
          entries,
          clear,
          unknown,
        },
      ],
      snapshot: { version: 1, address: ROW.ip },
      deliveries: [DELIVERY],
      pending: [],
    },
  },
  getEntity: {
    answer: {
      type: 'user_hid',
      value: ROW.user_hid,
      first_seen_at: '2026-05-30T08:12:00.000Z',
      last_seen_at: LINKED.last_seen_at,
      identifications: 3,
      complete: true,
      average_score: 10,
      highest_score: 30,
      bands: { trusted: 2, suspicious: 1, dangerous: 0, rate_limited: 0 },
      patterns: [
        {
          ...FINDING,
          pattern: 'many_devices_on_account',
          entity_type: 'user_hid',
          entity_value: ROW.user_hid,
        },
      ],
      days: [
        { day: '2026-05-30', identifications: 2, highest_score: 0 },
        { day: '2026-06-01', identifications: 1, highest_score: 30 },
      ],
      linked: {
        device_id: [{ value: ROW.device_id, ...LINKED }],
        visitor_id: [{ value: ROW.visitor_id, ...LINKED }],
        user_hid: [{ value: ROW.user_hid, ...LINKED }],
        ip: [{ value: ROW.ip, ...LINKED }],
        cookie_id: [{ value: ROW.cookie_id, ...LINKED }],
        country: [{ value: ROW.country, ...LINKED }],
        browser: [{ value: ROW.browser, ...LINKED }],
        os: [{ value: ROW.os, ...LINKED }],
      },
      graph: {
        nodes: [
          { type: 'user_hid', value: ROW.user_hid, identifications: 3 },
          { type: 'device_id', value: ROW.device_id, identifications: 3 },
        ],
        edges: [{ from: 0, to: 1, identifications: 3 }],
        more: { device_id: 0, visitor_id: 0, user_hid: 0, ip: 0, cookie_id: 0 },
      },
    },
  },
  ...OVERVIEW_EXAMPLES,
  ...PATTERN_EXAMPLES,
  eraseIdentifier: { body: { type: 'user_hid', value: ROW.user_hid }, answer: { rows: 3 } },
  exportIdentifier: {},
  ...OPERATOR_EXAMPLES,
  listAudit: {
    answer: {
      data: [
        {
          id: 12,
          at: '2026-06-01T12:05:00.000Z',
          actor: USER.email,
          action: 'key.rotate',
          target: 'example.com',
          detail: { kind: 'public' },
        },
      ],
      next: null,
    },
  },
}
