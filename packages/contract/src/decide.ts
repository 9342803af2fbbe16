import { z } from 'zod'
import { AnsweredEffect, DecisionAction, DecisionFields, DecisionPurpose } from './decision.ts'
import { FIELDS, Uuid } from './fields.ts'
import { VisitVelocity } from './velocity.ts'

const ACCOUNT_MAX = 1_024
const FIELDS_BYTES_MAX = 4_096
const WAIT_MS_MAX = 5_000
const WAIT_MS = 1_500
const AGE_SECONDS_MAX = 86_400
const AGE_SECONDS = 600

const Account = z
  .string()
  .min(1)
  .max(ACCOUNT_MAX)
  .regex(/^[^\0]*$/, 'without zero characters')

/** A question about a visit. */
export const DecideRequest = z
  .strictObject({
    request_id: Uuid.describe('The request ID that the page sent'),
    purpose: DecisionPurpose.describe('What you decide about. Rules may be for some purposes only'),
    account: Account.optional().describe(
      'Your pseudonym for the account in question. Without it, rules see the account of the visit',
    ),
    fields: DecisionFields.default({})
      .refine(
        (fields) => new TextEncoder().encode(JSON.stringify(fields)).length <= FIELDS_BYTES_MAX,
        'more than 4 KB',
      )
      .describe('Facts of your own for the rules, at most 4 KB. Nothing personal: they are stored'),
    client_address: z
      .string()
      .max(64)
      .optional()
      .describe('Where your backend got the request from. Rules see whether it is the address of the visit'),
    email_domain_hash: z
      .string()
      .regex(/^[0-9a-f]{64}$/i, 'a SHA-256 in hexadecimal')
      .optional()
      .describe('SHA-256 of the domain of an e-mail address in lower case, for your lists'),
    host: z
      .string()
      .min(1)
      .max(255)
      .optional()
      .describe('Host of the page that you expect. A visit of another one is refused'),
    wait_ms: z
      .int()
      .min(0)
      .max(WAIT_MS_MAX)
      .default(WAIT_MS)
      .describe('How long to wait for the identification, in milliseconds'),
    max_age_seconds: z
      .int()
      .min(1)
      .max(AGE_SECONDS_MAX)
      .default(AGE_SECONDS)
      .describe('An older visit is refused'),
    idempotency_key: z
      .string()
      .regex(/^[\x21-\x7e]{1,128}$/, '1 to 128 visible ASCII characters')
      .optional()
      .describe('Of your choice, different for each question. A repeated question gets the same answer'),
  })
  .describe('A question about a visit')
export type DecideRequest = z.infer<typeof DecideRequest>

const DecidingRule = z.object({
  rule: z.int().describe('Number of the rule'),
  name: z.string().describe('Its name'),
  version: z.int().describe('Its version'),
  state: z.enum(['shadow', 'on']).describe('`shadow` decided nothing'),
})

export const DecideAnswer = z
  .object({
    decision_id: Uuid.describe('Names this decision'),
    request_id: FIELDS.requestId,
    purpose: DecisionPurpose.describe('What it is about'),
    action: DecisionAction.describe('What to do: `allow`, `review`, `challenge` or `deny`'),
    reasons: z.array(z.string()).describe('In words, the one that decided first'),
    points: z.int().describe('Decision score of your rules. It is not the Risk Score'),
    rules: z.array(DecidingRule.extend({ effect: AnsweredEffect })).describe('Rules that were met'),
    failed_rules: z
      .array(DecidingRule.extend({ message: z.string().describe('Why') }))
      .describe('Rules that could not be evaluated, which counts as not met'),
    score: FIELDS.score,
    band: z.string().describe('`trusted`, `suspicious`, `dangerous` or `rate_limited`'),
    device_id: Uuid.nullable().describe('As in History; null where there is none'),
    visitor_id: Uuid.nullable().describe('As in History; null where there is none'),
    cookie_id: Uuid.nullable().describe('As in History; null where there is none'),
    velocity: VisitVelocity.describe(
      'How often what the visit had was seen, right after it; empty for a visit that was not counted',
    ),
    account: z.string().nullable().describe('The account in question; null where nobody names one'),
    address_matches: z
      .boolean()
      .nullable()
      .describe('Whether `client_address` is the address of the visit; null where they cannot be compared'),
    age_seconds: z.int().describe('Between visit and question'),
    ver: z.int().describe('Version of the identification that was judged'),
    decided_at: z.string().describe('RFC 3339, UTC'),
  })
  .describe('What to do about a visit')
export type DecideAnswer = z.infer<typeof DecideAnswer>

/** Why a visit is not decided about. */
export const DECIDE_REFUSALS = ['visit_used', 'visit_too_old', 'other_host', 'key_used'] as const

export const DecideRefusal = z
  .object({
    error: z.string().describe('For people'),
    reason: z
      .enum(DECIDE_REFUSALS)
      .describe(
        '`visit_used`: it was decided for this purpose already; `visit_too_old`: older than `max_age_seconds`; `other_host`: the page was on another host; `key_used`: the idempotency key belongs to another question',
      ),
  })
  .describe('Why the visit is not decided about')
export type DecideRefusal = z.infer<typeof DecideRefusal>
