import { z } from 'zod'
import { API_KEY_PATTERN, PUBLIC_KEY_PATTERN, SECRET_KEY_PATTERN } from '../identifiers.ts'
import { DomainPath, NO_DOMAIN, Timestamp } from './fields.ts'
import type { AccountOperation, Examples } from './operation.ts'
import { DOMAIN_RIGHT_NAMES } from './roles.ts'

export const AccountDomain = z
  .object({
    domain: z.string().describe('Registered domain'),
    enabled: z.boolean().describe('Whether its keys work'),
    remaining: z.int().describe('Included identifications left; negative when over the volume'),
    has_volume: z
      .boolean()
      .describe('Whether somebody set the volume; otherwise `remaining` only counts down'),
    created_at: Timestamp.describe('When the domain was registered'),
    public_key: z.string().describe('Public Key; not a secret'),
    secret_key_tail: z.string().describe('Last four characters of the Secret Key'),
    identifications_last_day: z.int().describe('Identifications of the last 24 hours'),
    last_identification_at: Timestamp.nullable().describe('Newest identification; null before the first'),
    endpoints: z.int().describe('Webhook endpoints'),
    origins: z
      .array(z.string())
      .nullable()
      .describe('Origins whose pages may use the Public Key; null for the domain and all of its subdomains'),
    stored_bytes: z.int().describe('Estimate of what its identifications take on disk'),
    disk_budget_bytes: z
      .int()
      .nullable()
      .describe('What they may take before visits are refused; null for no limit of its own'),
    has_user_key: z.boolean().describe('Whether there is a key by which your backend signs accounts'),
    signed_users_only: z.boolean().describe('Whether accounts without its signature are dropped'),
    sealed_verdicts: z
      .boolean()
      .describe('Whether pages get a verdict with the acknowledgment that only your backend can read'),
    has_verdict_key: z.boolean().describe('Whether there is a key that seals it'),
    review_cases: z.boolean().describe('Whether decisions `review` open cases'),
    review_hours: z.int().describe('How long after it was opened a case is due'),
    false_merge_cost: z
      .number()
      .nullable()
      .describe('What a false merge of two devices costs, in false splits; null for the cost of the release'),
    rights: z.array(z.enum(DOMAIN_RIGHT_NAMES)).describe('What the signed-in user may do there'),
  })
  .describe('A registered domain with its volume')
export type AccountDomain = z.infer<typeof AccountDomain>

export const AccountDomains = z.array(AccountDomain).describe('The registered domains')

export const DomainAddition = z
  .strictObject({
    domain: z.string().min(1).max(253).describe('Lower case, without scheme, port, path or `www.`'),
  })
  .describe('A new domain')

/** Private keys cannot be read again. */
export const NewDomainKeys = z
  .object({
    domain: z.string().describe('Registered domain'),
    public_key: z.string().regex(PUBLIC_KEY_PATTERN).describe('For pages; not a secret'),
    secret_key: z.string().regex(SECRET_KEY_PATTERN).describe('For the Management API; shown only now'),
    api_key: z.string().regex(API_KEY_PATTERN).describe('For the History API; shown only now'),
  })
  .describe('Keys of a new domain, shown only now')
export type NewDomainKeys = z.infer<typeof NewDomainKeys>

/**
 * Below 1, a visit from a provider that its device never used would be linked by its look alone, which anybody can copy.
 * Above 100, almost nothing is linked.
 */
export const FALSE_MERGE_COST = { min: 1, max: 100, ofRelease: 4 } as const
const FalseMergeCost = z.number().min(FALSE_MERGE_COST.min).max(FALSE_MERGE_COST.max)

export const DomainChange = z
  .strictObject({
    enabled: z.boolean().optional().describe('Whether its keys work'),
    remaining: z.int().optional().describe('Included identifications left'),
    origins: z
      .array(z.string().max(300))
      .min(1)
      .max(100)
      .nullable()
      .optional()
      .describe('Such as `https://brewline.example`; null for the domain and all of its subdomains'),
    disk_budget_bytes: z.int().min(1).nullable().optional().describe('null for no limit of its own'),
    signed_users_only: z
      .boolean()
      .optional()
      .describe('Whether accounts without the signature of your backend are dropped; needs a user key'),
    sealed_verdicts: z
      .boolean()
      .optional()
      .describe('Whether acknowledgments carry a sealed verdict; needs a verdict key'),
    review_cases: z.boolean().optional().describe('Whether decisions `review` open cases'),
    review_hours: z.int().min(1).max(8_760).optional().describe('How long after it was opened a case is due'),
    false_merge_cost: FalseMergeCost.nullable()
      .optional()
      .describe('What a false merge of two devices costs, in false splits; null for the cost of the release'),
  })
  .refine((change) => Object.keys(change).length > 0, 'nothing to change')
  .describe('Fields to change; the others stay')

export const KEY_KIND_NAMES = ['api', 'secret', 'public', 'user'] as const

export const RotatedKey = z
  .object({
    kind: z.enum(KEY_KIND_NAMES).describe('Kind of key'),
    key: z.string().describe('The new key, shown only now'),
  })
  .describe('A new key, shown only now')
export type RotatedKey = z.infer<typeof RotatedKey>

export const VerdictKeyRotation = z
  .strictObject({
    at_once: z
      .boolean()
      .describe(
        'Whether it seals at once, as after a theft; your backend cannot read verdicts until it has it',
      ),
  })
  .describe('How to replace the key')

export const RotatedVerdictKey = z
  .object({
    key_id: z.string().describe('Names it in sealed verdicts'),
    key: z.string().describe('The new key, shown only now'),
    seals_from: Timestamp.describe('Until then the key before it seals'),
  })
  .describe('A new key, shown only now')
export type RotatedVerdictKey = z.infer<typeof RotatedVerdictKey>

export const DOMAIN_OPERATIONS = {
  listDomains: {
    method: 'GET',
    path: '/account/domains',
    access: 'user',
    summary: 'List the domains',
    answer: AccountDomains,
  },
  addDomain: {
    method: 'POST',
    path: '/account/domains',
    access: 'owner',
    summary: 'Register a domain',
    body: DomainAddition,
    answer: NewDomainKeys,
    status: 201,
    errors: { 409: 'the domain is registered already' },
  },
  getDomain: {
    method: 'GET',
    path: '/account/domains/{domain}',
    access: 'domain:read',
    summary: 'Get a domain',
    params: DomainPath,
    answer: AccountDomain,
    errors: NO_DOMAIN,
  },
  changeDomain: {
    method: 'PATCH',
    path: '/account/domains/{domain}',
    access: 'settings:write',
    // What the installation grants the domain.
    fieldAccess: { enabled: 'owner', remaining: 'owner', disk_budget_bytes: 'owner' },
    summary:
      'Switch a domain on or off, or set its volume, its origins, its disk budget or who may name accounts',
    params: DomainPath,
    body: DomainChange,
    answer: AccountDomain,
    errors: NO_DOMAIN,
  },
  rotateKey: {
    method: 'POST',
    path: '/account/domains/{domain}/keys/{kind}/rotate',
    access: 'settings:write',
    proof: 'recent',
    summary: 'Replace a key',
    description:
      'The old key stops working everywhere within a second. The user key is made when it is first replaced.',
    params: DomainPath.extend({ kind: z.enum(KEY_KIND_NAMES).describe('Kind of key') }),
    answer: RotatedKey,
    errors: NO_DOMAIN,
  },
  rotateVerdictKey: {
    method: 'POST',
    path: '/account/domains/{domain}/verdict-key/rotate',
    access: 'settings:write',
    proof: 'recent',
    summary: 'Make or replace the key that seals verdicts',
    description:
      'Give the new key to your backend beside the old one: it begins to seal after `WEBHOOK_SECRET_OVERLAP_HOURS`, or at once where there is none yet.',
    params: DomainPath,
    body: VerdictKeyRotation,
    answer: RotatedVerdictKey,
    errors: NO_DOMAIN,
  },
} as const satisfies Record<string, AccountOperation>

const DOMAIN: AccountDomain = {
  domain: 'brewline.example',
  enabled: true,
  remaining: 47_310,
  has_volume: true,
  created_at: '2026-03-02T09:30:00.000Z',
  public_key: 'efa1f375d76194fa51a3556a97e641e6',
  secret_key_tail: '5686',
  identifications_last_day: 1_840,
  last_identification_at: '2026-10-08T14:21:37.205Z',
  endpoints: 1,
  origins: null,
  stored_bytes: 301_470_000,
  disk_budget_bytes: null,
  has_user_key: true,
  signed_users_only: false,
  sealed_verdicts: false,
  has_verdict_key: false,
  review_cases: true,
  review_hours: 24,
  false_merge_cost: null,
  rights: [...DOMAIN_RIGHT_NAMES],
}

export const DOMAIN_EXAMPLES: Examples<typeof DOMAIN_OPERATIONS> = {
  listDomains: { answer: [DOMAIN] },
  addDomain: {
    body: { domain: 'brewline.example' },
    answer: {
      domain: 'brewline.example',
      public_key: DOMAIN.public_key,
      secret_key: '2bb80d537b1da3e38bd30361aa855686',
      api_key: 'sec_h4w7q0zd-n81kc5xe-u3b6r9ty',
    },
  },
  getDomain: { answer: DOMAIN },
  changeDomain: { body: { enabled: false }, answer: { ...DOMAIN, enabled: false } },
  rotateKey: { answer: { kind: 'public', key: 'b07c45d91e6a3f284d10c7e95ab36f82' } },
  rotateVerdictKey: {
    body: { at_once: false },
    answer: {
      key_id: '5b1c09e2',
      key: 'ivk_5b1c09e2_3f9a6c1d7be04852a1c6f0e9d83b5274c8e1a09f6d37b2450e9c18fa7d64b3e2',
      seals_from: '2026-10-09T14:21:37.205Z',
    },
  },
}
