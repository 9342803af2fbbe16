import { z } from 'zod'
import { API_KEY_SCOPE_NAMES } from '../api-key-scopes.ts'
import { API_KEY_PATTERN } from '../identifiers.ts'
import { DomainPath, NO_DOMAIN, Timestamp } from './fields.ts'
import type { AccountOperation, Examples } from './operation.ts'

/** Of each domain. */
export const API_KEYS_MAX = 50
/** Thirty days: long enough for any deployment. */
export const OVERLAP_HOURS_MAX = 720

export const ApiKeyName = z.string().trim().min(1).max(80)
export const ApiKeyScopes = z.array(z.enum(API_KEY_SCOPE_NAMES)).min(1).max(API_KEY_SCOPE_NAMES.length)
export const OverlapHours = z.int().min(0).max(OVERLAP_HOURS_MAX)
const Expiry = Timestamp.nullable()

export const ApiKey = z
  .object({
    id: z.string().describe('Names it in the API, on the command line and in the audit log'),
    name: z.string().describe('What it is for'),
    scopes: z.array(z.enum(API_KEY_SCOPE_NAMES)).describe('What it may do'),
    tail: z.string().describe('Last four characters of the key'),
    created_by: z.string().describe('E-mail address of a user, or `command line`'),
    created_at: Timestamp.describe('When it was made'),
    rotated_at: Timestamp.nullable().describe('When its key was replaced last; null if never'),
    previous_until: Timestamp.nullable().describe(
      'Until when the key before is valid as well; null if it is not',
    ),
    expires_at: Timestamp.nullable().describe('When it ends; null for never'),
    used_at: Timestamp.nullable().describe('The hour in which it was used last; null if never'),
  })
  .describe('A named API key, without the key')
export type ApiKey = z.infer<typeof ApiKey>

export const ApiKeys = z
  .object({ data: z.array(ApiKey).describe('By name') })
  .describe('The named API keys of a domain, expired ones as well')

export const NewApiKey = z
  .strictObject({
    name: ApiKeyName.describe('What it is for; no other key of the domain has the name'),
    scopes: ApiKeyScopes.describe('What it may do'),
    expires_at: Expiry.default(null).describe('When it ends; null for never'),
  })
  .describe('A key to make')

export const ApiKeyRotation = z
  .strictObject({
    overlap_hours: OverlapHours.describe('How long the old key stays valid; 0 after a theft'),
    expires_at: Expiry.optional().describe('When it ends; null for never. Without it, this stays as it is'),
  })
  .describe('How to replace a key')

export const MadeApiKey = z
  .object({
    api_key: ApiKey,
    key: z.string().regex(API_KEY_PATTERN).describe('The key itself, shown only now'),
  })
  .describe('A key, shown only now')
export type MadeApiKey = z.infer<typeof MadeApiKey>

const KeyPath = DomainPath.extend({
  key_id: z
    .string()
    .regex(/^[0-9a-f]{1,32}$/, 'the ID of a key')
    .describe('ID of the key'),
})

const NO_KEY = { 404: 'no such key' } as const

export const API_KEY_OPERATIONS = {
  listApiKeys: {
    method: 'GET',
    path: '/account/domains/{domain}/api-keys',
    access: 'domain:read',
    summary: 'List the named API keys',
    params: DomainPath,
    answer: ApiKeys,
    errors: NO_DOMAIN,
  },
  addApiKey: {
    method: 'POST',
    path: '/account/domains/{domain}/api-keys',
    access: 'settings:write',
    proof: 'recent',
    summary: 'Make a named API key',
    description: `It works on every server within a second. A domain has at most ${API_KEYS_MAX}.`,
    params: DomainPath,
    body: NewApiKey,
    answer: MadeApiKey,
    status: 201,
    errors: { ...NO_DOMAIN, 409: `another key has this name, or the domain has ${API_KEYS_MAX} keys` },
  },
  rotateApiKey: {
    method: 'POST',
    path: '/account/domains/{domain}/api-keys/{key_id}/rotate',
    access: 'settings:write',
    proof: 'recent',
    summary: 'Replace a named API key',
    description:
      'Name, scopes and ID stay. The old key is valid for as long as you choose; one that it replaced before ends at once. A key that has expired gets no overlap.',
    params: KeyPath,
    body: ApiKeyRotation,
    answer: MadeApiKey,
    errors: NO_KEY,
  },
  revokeApiKey: {
    method: 'DELETE',
    path: '/account/domains/{domain}/api-keys/{key_id}',
    access: 'settings:write',
    summary: 'Revoke a named API key',
    description: 'It stops working on every server within a second, and so does one that it replaced.',
    params: KeyPath,
    answer: 'nothing',
    errors: NO_KEY,
  },
} as const satisfies Record<string, AccountOperation>

const EXAMPLE: ApiKey = {
  id: '5d20c7e914ab',
  name: 'Checkout',
  scopes: ['decide', 'labels:write'],
  tail: 'r9ty',
  created_by: 'mira@brewline.example',
  created_at: '2026-10-02T10:02:11.000Z',
  rotated_at: null,
  previous_until: null,
  expires_at: '2027-10-02T00:00:00.000Z',
  used_at: '2026-10-08T14:00:00.000Z',
}

const FRESH: ApiKey = { ...EXAMPLE, used_at: null }

export const API_KEY_EXAMPLES: Examples<typeof API_KEY_OPERATIONS> = {
  listApiKeys: { answer: { data: [EXAMPLE] } },
  addApiKey: {
    body: { name: 'Checkout', scopes: ['decide', 'labels:write'], expires_at: '2027-10-02T00:00:00.000Z' },
    answer: { api_key: FRESH, key: 'sec_h4w7q0zd-n81kc5xe-u3b6r9ty' },
  },
  rotateApiKey: {
    body: { overlap_hours: 24 },
    answer: {
      api_key: {
        ...EXAMPLE,
        tail: 'm2pd',
        rotated_at: '2026-10-08T14:21:37.205Z',
        previous_until: '2026-10-09T14:21:37.205Z',
      },
      key: 'sec_t6yv1c9x-e0gk4w2a-q8zsm2pd',
    },
  },
  revokeApiKey: {},
}
