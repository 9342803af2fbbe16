import { schemaRef } from './components.ts'
import { content, JSON_TYPE, json } from './content.ts'
import type { Operation, Parameter } from './document.ts'
import {
  EXAMPLE_SECRET,
  PATTERN_EVENTS,
  PATTERN_SIGNATURE,
  PING_SIGNATURE,
  PINGS,
  SCORED_EVENTS,
  SCORED_SIGNATURE,
} from './examples/events.ts'
import { type Deployment, headerName, type Paths } from './surface.ts'

export const WEBHOOK_TAG = 'Webhooks'

export const webhooks = (deployment: Deployment): Paths => ({
  'identification.scored': { post: scored(deployment) },
  'pattern.changed': { post: pattern(deployment) },
  'webhook.ping': { post: ping(deployment) },
})

const signature = (deployment: Deployment, example: string): Parameter => ({
  name: headerName(deployment, 'Signature'),
  in: 'header',
  required: true,
  description: `\`sha256=\` and 64 lowercase hex digits: HMAC-SHA256 of the exact body bytes. The key is the signing secret of the endpoint as UTF-8 text, its \`whsec_\` prefix included. The example is made with \`${EXAMPLE_SECRET}\`.`,
  schema: { type: 'string', pattern: '^sha256=[0-9a-f]{64}$' },
  example,
})

const eventId = (deployment: Deployment): Parameter => ({
  name: headerName(deployment, 'Event-Id'),
  in: 'header',
  required: false,
  description: 'Only when retries are on: the same in every send of an event.',
  schema: { type: 'string' },
})

const VERIFY = (deployment: Deployment): string =>
  `Verify \`${headerName(deployment, 'Signature')}\` over the raw body, in constant time and before parsing: parsed and written again, JSON has other bytes (\`&\` arrives as \`\\u0026\`). After a rotation, accept both secrets until your deployment has switched. Tolerate unknown fields and any \`schema_version\`, and do not answer with a redirect.`

/** What the service reads from an answer: its status alone. */
const answers = (within: string, delivered: string, failed: string): Operation['responses'] => ({
  '2XX': { description: `Any 2xx within ${within}: ${delivered}.` },
  default: { description: `Any other status, or no answer within ${within}: ${failed}.` },
})

const scored = (deployment: Deployment): Operation => ({
  operationId: 'identificationScored',
  summary: 'An identification is scored',
  description: [
    'Sent once per identification to every enabled endpoint of the domain when scoring is final: usually about 300 ms after the browser check, at most about ten seconds when follow-up checks run. A snapshot of that time: a later refinement sends no second event, and History has the latest state.',
    VERIFY(deployment),
    'Be idempotent on `data.request_id`. The marker of a rate-limited address is delivered as well (`risk_score` above 100). By default nothing is sent twice; with retries on, identical bytes follow a network error, a timeout, a `429` or a 5xx.',
    'The Test button sends a fixed sample with sorted keys, whole seconds and two-letter countries.',
  ].join('\n\n'),
  tags: [WEBHOOK_TAG],
  security: [],
  parameters: [signature(deployment, SCORED_SIGNATURE), eventId(deployment)],
  requestBody: {
    required: true,
    description: 'Compact JSON without a newline at its end.',
    content: content(
      JSON_TYPE,
      { anyOf: [schemaRef('IdentificationScored'), schemaRef('TestDelivery')] },
      SCORED_EVENTS,
    ),
  },
  responses: answers('1 second', 'delivered', 'the delivery failed'),
})

const pattern = (deployment: Deployment): Operation => ({
  operationId: 'patternChanged',
  summary: 'An abuse pattern changed',
  description: [
    'Sent once per change of grade to the endpoints that ask for it in the dashboard; no endpoint does by default. A pattern appears (`new`), gets worse or better (`raised`, `lowered`) or no longer holds (`resolved`). Within two minutes of the identification that made the change.',
    VERIFY(deployment),
    'Be idempotent on `event_id`. An erased or expired finding is not told as resolved.',
  ].join('\n\n'),
  tags: [WEBHOOK_TAG],
  security: [],
  parameters: [signature(deployment, PATTERN_SIGNATURE), eventId(deployment)],
  requestBody: {
    required: true,
    description: 'Compact JSON without a newline at its end.',
    content: json('PatternChanged', PATTERN_EVENTS),
  },
  responses: answers('1 second', 'delivered', 'the delivery failed'),
})

const ping = (deployment: Deployment): Operation => ({
  operationId: 'webhookPing',
  summary: 'An endpoint is verified',
  description: ['Sent to one endpoint when its owner verifies it.', VERIFY(deployment)].join('\n\n'),
  tags: [WEBHOOK_TAG],
  security: [],
  parameters: [signature(deployment, PING_SIGNATURE)],
  requestBody: {
    required: true,
    description: 'Compact JSON with sorted keys and without a newline at its end.',
    content: json('WebhookPing', PINGS),
  },
  responses: answers('5 seconds', 'the endpoint is verified', 'verification failed'),
})
