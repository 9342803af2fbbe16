import { z } from 'zod'
import { Uuid } from '../fields.ts'
import { SIGNING_SECRET_PATTERN } from '../identifiers.ts'
import { REQUEST_ID, SCORED } from '../openapi/example-visit.ts'
import { DomainPath, nextCursor, paging, Timestamp } from './fields.ts'
import type { AccountOperation, Examples } from './operation.ts'

/** Of a domain. Each of them gets each event. */
export const ENDPOINTS_MAX = 50

/** Of a domain: pings, test events and test messages to receivers of alerts, because callers choose their targets. */
export const TEST_SENDS_PER_MINUTE = 10
export const TEST_SENDS = `A domain may have ${TEST_SENDS_PER_MINUTE} pings, test events and test messages a minute.`

const EndpointId = z.int().describe('Number of the endpoint')
const SigningSecret = z.string().regex(SIGNING_SECRET_PATTERN)

export const WebhookEndpoint = z
  .object({
    id: EndpointId,
    url: z
      .string()
      .describe(
        'URL that events are sent to; without its query, which can hold a secret, for a role without `settings:write`',
      ),
    state: z.enum(['unverified', 'verified', 'failed']).describe('Outcome of the last ping'),
    enabled: z.boolean().describe('Whether it gets events'),
    pattern_events: z.boolean().describe('Whether it also gets `pattern.changed`'),
    decision_events: z.boolean().describe('Whether it also gets `decision.changed`'),
    device_events: z.boolean().describe('Whether it also gets `device.merged` and `device.split`'),
    secret_tail: z.string().describe('Last four characters of the signing secret'),
    failing_since: Timestamp.nullable().describe(
      'First failed send since the last accepted one; null if none',
    ),
    disabled_at: Timestamp.nullable().describe(
      'When the server disabled it because its sends failed for days; null otherwise',
    ),
    created_at: Timestamp.describe('When it was added'),
  })
  .describe('Webhook endpoint of a domain')
export type WebhookEndpoint = z.infer<typeof WebhookEndpoint>

export const WebhookEndpoints = z.array(WebhookEndpoint).describe('Endpoints of a domain, oldest first')

export const EndpointAddition = z
  .strictObject({
    url: z.string().min(1).max(2_048).describe('`https`; also `http` where private addresses are allowed'),
  })
  .describe('A new endpoint')

export const NewEndpoint = WebhookEndpoint.extend({
  secret: SigningSecret.describe('Signing secret, shown only now'),
}).describe('A new endpoint; it is not verified yet')
export type NewEndpoint = z.infer<typeof NewEndpoint>

export const EndpointChange = z
  .strictObject({
    enabled: z.boolean().optional().describe('Whether it gets events'),
    pattern_events: z.boolean().optional().describe('Whether it also gets `pattern.changed`'),
    decision_events: z.boolean().optional().describe('Whether it also gets `decision.changed`'),
    device_events: z.boolean().optional().describe('Whether it also gets `device.merged` and `device.split`'),
  })
  .refine((change) => Object.keys(change).length > 0, 'nothing to change')
  .describe('Fields to change; the others stay')

export const EndpointAttempt = z
  .object({
    id: EndpointId,
    state: z.enum(['verified', 'failed']).describe('Whether the answer was a 2xx in time'),
    status: z.int().nullable().describe('HTTP status; null without an answer'),
    duration_ms: z.int().describe('Milliseconds until the answer'),
    error: z.string().nullable().describe('Why there was no answer'),
  })
  .describe('Result of one send')
export type EndpointAttempt = z.infer<typeof EndpointAttempt>

export const RotatedSecret = z
  .object({
    id: EndpointId,
    secret: SigningSecret.describe('The new signing secret, shown only now'),
    replaced: z.string().describe('The old secret, masked but for its last four characters'),
  })
  .describe('A new signing secret, shown only now')
export type RotatedSecret = z.infer<typeof RotatedSecret>

const EndpointPath = DomainPath.extend({
  endpoint_id: z.coerce.number().int().positive().describe('Number of the endpoint'),
})

const NO_ENDPOINT = { 404: 'no such endpoint' } as const

export const Delivery = z
  .object({
    id: z.int().describe('Number of the send'),
    endpoint_id: z.int().describe('Number of the endpoint'),
    request_id: Uuid.describe('The identification of the event; an ID of its own for `pattern.changed`'),
    event_id: Uuid.describe('The same in every retry'),
    event_type: z.string().describe('Such as `identification.scored`'),
    attempt: z.int().describe('1 for the first send'),
    sent_at: Timestamp.describe('Time of the send'),
    duration_ms: z.int().describe('Milliseconds until the answer'),
    status: z.int().nullable().describe('HTTP status; null without an answer'),
    error: z.string().nullable().describe('Why there was no answer'),
    body: z
      .string()
      .nullable()
      .describe(
        'The exact text that was sent; null where the cold storage, which has old ones, cannot give it',
      ),
  })
  .describe('One send of an event')
export type Delivery = z.infer<typeof Delivery>

export const DeliveryPage = z
  .object({ data: z.array(Delivery).describe('Newest first'), next: nextCursor })
  .describe('One page of the delivery log')
export type DeliveryPage = z.infer<typeof DeliveryPage>

const DeliveryQuery = z.strictObject({
  outcome: z.enum(['failed', 'all']).default('all').describe('`failed`: sends without a 2xx'),
  ...paging,
})

export const ENDPOINT_OPERATIONS = {
  listEndpoints: {
    method: 'GET',
    path: '/account/domains/{domain}/endpoints',
    access: 'domain:read',
    summary: 'List the webhook endpoints',
    params: DomainPath,
    answer: WebhookEndpoints,
    errors: { 404: 'no such domain' },
  },
  addEndpoint: {
    method: 'POST',
    path: '/account/domains/{domain}/endpoints',
    access: 'settings:write',
    proof: 'recent',
    summary: 'Add a webhook endpoint',
    description: `A domain has at most ${ENDPOINTS_MAX}.`,
    params: DomainPath,
    body: EndpointAddition,
    answer: NewEndpoint,
    status: 201,
    errors: { 404: 'no such domain', 409: `the domain has ${ENDPOINTS_MAX} webhook endpoints; remove one` },
  },
  changeEndpoint: {
    method: 'PATCH',
    path: '/account/domains/{domain}/endpoints/{endpoint_id}',
    access: 'settings:write',
    summary: 'Enable or disable a webhook endpoint or its pattern events',
    params: EndpointPath,
    body: EndpointChange,
    answer: WebhookEndpoint,
    errors: NO_ENDPOINT,
  },
  removeEndpoint: {
    method: 'DELETE',
    path: '/account/domains/{domain}/endpoints/{endpoint_id}',
    access: 'settings:write',
    summary: 'Remove a webhook endpoint',
    description: 'Pending events are not sent. Its deliveries stay in the details of identifications.',
    params: EndpointPath,
    answer: 'nothing',
    errors: NO_ENDPOINT,
  },
  pingEndpoint: {
    method: 'POST',
    path: '/account/domains/{domain}/endpoints/{endpoint_id}/ping',
    access: 'settings:write',
    summary: 'Verify a webhook endpoint',
    description: `Sends \`webhook.ping\`. A 2xx within five seconds verifies the endpoint. ${TEST_SENDS}`,
    params: EndpointPath,
    answer: EndpointAttempt,
    errors: { ...NO_ENDPOINT, 429: 'too many requests' },
  },
  testEndpoint: {
    method: 'POST',
    path: '/account/domains/{domain}/endpoints/{endpoint_id}/test',
    access: 'settings:write',
    summary: 'Send the sample to a webhook endpoint',
    description: `Sends the fixed sample of \`identification.scored\`; the state of the endpoint stays as it is. ${TEST_SENDS}`,
    params: EndpointPath,
    answer: EndpointAttempt,
    errors: { ...NO_ENDPOINT, 429: 'too many requests' },
  },
  rotateSecret: {
    method: 'POST',
    path: '/account/domains/{domain}/endpoints/{endpoint_id}/rotate',
    access: 'settings:write',
    proof: 'recent',
    summary: 'Replace a signing secret',
    description:
      'The new secret signs the contract’s header within a second. In the headers of Standard Webhooks the old one signs as well for `WEBHOOK_SECRET_OVERLAP_HOURS`.',
    params: EndpointPath,
    answer: RotatedSecret,
    errors: NO_ENDPOINT,
  },
  listDeliveries: {
    method: 'GET',
    path: '/account/domains/{domain}/endpoints/{endpoint_id}/deliveries',
    access: 'visits:read',
    summary: 'Read the delivery log of an endpoint',
    params: EndpointPath,
    query: DeliveryQuery,
    answer: DeliveryPage,
    errors: NO_ENDPOINT,
  },
} as const satisfies Record<string, AccountOperation>

const SECRET = 'whsec_5d0a7be14c92f38610ad4be7c1529f06'
const ENDPOINT: WebhookEndpoint = {
  id: 1,
  url: 'https://api.brewline.example/inkling',
  state: 'verified',
  enabled: true,
  pattern_events: false,
  decision_events: false,
  device_events: false,
  secret_tail: '9f06',
  failing_since: null,
  disabled_at: null,
  created_at: '2026-03-02T09:31:00.000Z',
}

const ATTEMPT: EndpointAttempt = { id: 1, state: 'verified', status: 204, duration_ms: 48, error: null }

export const DELIVERY_EXAMPLE: Delivery = {
  id: 7,
  endpoint_id: ENDPOINT.id,
  request_id: REQUEST_ID,
  event_id: 'e846bc25-7e70-4019-a3ee-3fe8b915fcf0',
  event_type: 'identification.scored',
  attempt: 1,
  sent_at: '2026-10-08T14:21:37.618Z',
  duration_ms: 48,
  status: 204,
  error: null,
  body: JSON.stringify(SCORED),
}

export const ENDPOINT_EXAMPLES: Examples<typeof ENDPOINT_OPERATIONS> = {
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
  listDeliveries: { answer: { data: [DELIVERY_EXAMPLE], next: null } },
}
