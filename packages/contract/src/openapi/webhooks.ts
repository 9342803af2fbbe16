import { z } from 'zod'
import type {
  ZodOpenApiContentObject,
  ZodOpenApiOperationObject,
  ZodOpenApiPathsObject,
  ZodOpenApiResponsesObject,
} from 'zod-openapi'
import { FINDING_EXAMPLE } from '../account/index.ts'
import { DecisionChanged } from '../decision-changed.ts'
import { DeviceMerged, DeviceSplit } from '../device-changed.ts'
import { PatternChanged } from '../patterns.ts'
import { TEST_SAMPLE } from '../test-sample.ts'
import { IdentificationScored, SCHEMA_VERSION, TestDelivery, WebhookPing } from '../webhook-events.ts'
import { type Deployment, headerName } from './deployment.ts'
import { DECIDED, SCORED } from './example-visit.ts'
import { type Examples, JSON_TYPE, json, parameter } from './responses.ts'

export const WEBHOOK_TAG = {
  name: 'Webhooks',
  description: 'Events that the server posts to your endpoints.',
}

export const webhookPaths = (deployment: Deployment): ZodOpenApiPathsObject => ({
  'identification.scored': { post: identificationScored(deployment) },
  'pattern.changed': { post: patternChanged(deployment) },
  'decision.changed': { post: decisionChanged(deployment) },
  'device.merged': { post: deviceMerged(deployment) },
  'device.split': { post: deviceSplit(deployment) },
  'webhook.ping': { post: webhookPing(deployment) },
})

/** The signatures of the examples are made with it: `openssl dgst -sha256 -hmac SECRET < body.json`. */
export const EXAMPLE_SECRET = 'whsec_d276eb0eebd4b8add5ab9380af1bdd67'
export const SCORED_SIGNATURE = 'sha256=af7add628b6ab612c3a7fd00cd49ce5b1f1b3948066eb2eb740d24760be2f701'
export const PATTERN_SIGNATURE = 'sha256=21fa10e2f20f9a717467ba2b94eef7576e251a4032323ddbbdf9649aecad8c51'
export const DECISION_SIGNATURE = 'sha256=9dd2d7f37a7c1b6154a0f7e2e5796a5a7c175b8d122b4347ee1cc334a6d99286'
export const MERGED_SIGNATURE = 'sha256=4e40b85bd53d61e75e1d290293287d772004600a55d95e8decac62e568951a24'
export const SPLIT_SIGNATURE = 'sha256=e6f970a7bbce0be30cf1ccf1acf31ec650735497746e83e2eef7e35c8d8924ea'
export const PING_SIGNATURE = 'sha256=93e6ae796004dd9500a97bd9680cdda97706ce06c8b07aa4e3ff3c2276a73dfd'

const signatureHeader = (deployment: Deployment, example: string) => ({
  [headerName(deployment, 'Signature')]: parameter(
    z.string().regex(/^sha256=[0-9a-f]{64}$/),
    `\`sha256=\` and the HMAC-SHA256 of the body in hex. The HMAC is keyed with the endpoint's secret, prefix included; the example was made with \`${EXAMPLE_SECRET}\`.`,
    example,
  ),
})

const eventIdHeader = (deployment: Deployment) => ({
  [headerName(deployment, 'Event-Id')]: parameter(
    z.string().optional(),
    'Names the event, the same at each attempt. Sent where `WEBHOOK_RETRIES` is above 0.',
  ),
})

const verifying = (deployment: Deployment): string =>
  `To verify it, compute the HMAC of the bytes as they came in and compare it with \`${headerName(deployment, 'Signature')}\` in constant time. Do so first: a JSON library would not write the same bytes again, for the server writes \`&\`, \`<\` and \`>\` as \`\\u0026\`, \`\\u003c\` and \`\\u003e\`. A new secret signs from the next event on, so accept both secrets during a change. Later releases may add fields, and \`schema_version\` may change.`

/** The server reads nothing of an answer but its status. */
const answersWithin = (time: string, good: string, bad: string): ZodOpenApiResponsesObject => ({
  '2XX': { description: `${good} The server waits ${time} for it.` },
  default: { description: `${bad} A redirect counts as such, and so does silence.` },
})

const DELIVERY_ANSWERS = answersWithin('one second', 'The event is delivered.', 'The event is not delivered.')

const identificationScored = (deployment: Deployment): ZodOpenApiOperationObject => ({
  operationId: 'identificationScored',
  summary: 'An identification is scored',
  description: [
    'Every enabled endpoint of the domain gets one when no check of the identification is pending any more: at once where the agent runs none that report later, after `FOLLOW_UP_SECONDS` (10) at the latest. Evidence that comes in after that changes the row of History and sends nothing.',
    verifying(deployment),
    'The same event can arrive twice, after a crash of the server or where `WEBHOOK_RETRIES` lets it repeat an attempt that got no answer, a `429` or a 5xx. Recognise it by `data.request_id`. An address over the ingest limit gets an event like any visit, with a `risk_score` of 999.',
    'The Test button of the dashboard, and `inkling webhook test`, send the second example.',
  ].join('\n\n'),
  tags: [WEBHOOK_TAG.name],
  security: [],
  requestParams: {
    header: z.object({ ...signatureHeader(deployment, SCORED_SIGNATURE), ...eventIdHeader(deployment) }),
  },
  requestBody: {
    required: true,
    description: 'JSON without blanks between its parts and without a newline at its end.',
    content: {
      [JSON_TYPE]: { schema: z.union([IdentificationScored, TestDelivery]), examples: SCORED_EVENTS },
    },
  },
  responses: DELIVERY_ANSWERS,
})

const patternChanged = (deployment: Deployment): ZodOpenApiOperationObject =>
  switchedOnEvent(deployment, {
    operationId: 'patternChanged',
    summary: 'An abuse pattern changed',
    sent: 'Only endpoints for which an owner has switched pattern events on get it: when a pattern is found (`new`), when its grade rises or falls (`raised`, `lowered`) and when it no longer holds (`resolved`). It leaves within two minutes of the identification that caused it. A finding that is erased or expires leaves none.',
    signature: PATTERN_SIGNATURE,
    content: json(PatternChanged, PATTERN_EVENTS),
  })

const decisionChanged = (deployment: Deployment): ZodOpenApiOperationObject =>
  switchedOnEvent(deployment, {
    operationId: 'decisionChanged',
    summary: 'A decision would be another one',
    sent: 'Only endpoints for which an owner has switched decision events on get it: when evidence that came after the answer of `POST /api/v1/decide` would lead to another action, by the rules of that moment, and again when later evidence changes that. The answer itself stays as it was, also for a repeated question. It leaves within seconds of the evidence.',
    signature: DECISION_SIGNATURE,
    content: json(DecisionChanged, DECISION_EVENTS),
  })

const DEVICE_EVENTS =
  'Only endpoints for which an owner has switched device events on get it, once, as soon as the visit is stored. Rows of History keep the ID that they were answered with.'

const deviceMerged = (deployment: Deployment): ZodOpenApiOperationObject =>
  switchedOnEvent(deployment, {
    operationId: 'deviceMerged',
    summary: 'Two devices are one',
    sent: `${DEVICE_EVENTS} A search by either ID finds the visits of both, and the one that is not used any more counts as an alias.`,
    signature: MERGED_SIGNATURE,
    content: json(DeviceMerged, MERGED_EVENTS),
  })

const deviceSplit = (deployment: Deployment): ZodOpenApiOperationObject =>
  switchedOnEvent(deployment, {
    operationId: 'deviceSplit',
    summary: 'A device is two',
    sent: `${DEVICE_EVENTS} A cookie that was taken for a device has another device from this visit on; its earlier visits are found by \`cookie_id\`.`,
    signature: SPLIT_SIGNATURE,
    content: json(DeviceSplit, SPLIT_EVENTS),
  })

/** An event that only endpoints get for which an owner has switched it on. */
const switchedOnEvent = (
  deployment: Deployment,
  event: {
    operationId: string
    summary: string
    sent: string
    signature: string
    content: ZodOpenApiContentObject
  },
): ZodOpenApiOperationObject => ({
  operationId: event.operationId,
  summary: event.summary,
  description: [
    event.sent,
    verifying(deployment),
    'Use `event_id` to recognise one that arrives twice.',
  ].join('\n\n'),
  tags: [WEBHOOK_TAG.name],
  security: [],
  requestParams: {
    header: z.object({ ...signatureHeader(deployment, event.signature), ...eventIdHeader(deployment) }),
  },
  requestBody: {
    required: true,
    description: 'JSON without blanks between its parts and without a newline at its end.',
    content: event.content,
  },
  responses: DELIVERY_ANSWERS,
})

const webhookPing = (deployment: Deployment): ZodOpenApiOperationObject => ({
  operationId: 'webhookPing',
  summary: 'An endpoint is verified',
  description: [
    '`inkling webhook ping`, or the dashboard, sends it to one endpoint.',
    verifying(deployment),
  ].join('\n\n'),
  tags: [WEBHOOK_TAG.name],
  security: [],
  requestParams: { header: z.object(signatureHeader(deployment, PING_SIGNATURE)) },
  requestBody: {
    required: true,
    description: 'JSON with sorted keys, without blanks between its parts and without a newline at its end.',
    content: json(WebhookPing, PINGS),
  },
  responses: answersWithin(
    'five seconds',
    'The endpoint becomes `verified`.',
    'The endpoint becomes `failed`; it gets events all the same.',
  ),
})

export const SCORED_EVENTS: Examples = {
  scored: { summary: 'An identification', value: SCORED },
  testDelivery: { summary: 'The sample of the Test button', value: TEST_SAMPLE },
}

const PING: WebhookPing = {
  created_at: '2026-11-03T08:15:42Z',
  event_type: 'webhook.ping',
  schema_version: SCHEMA_VERSION,
}

export const PINGS: Examples = { ping: { summary: 'A ping', value: PING } }

const PATTERN: PatternChanged = {
  event_type: 'pattern.changed',
  schema_version: SCHEMA_VERSION,
  event_id: 'df49998b-cc81-40c9-aec6-5309192d7052',
  created_at: '2026-10-08T14:23:00Z',
  data: {
    finding_id: FINDING_EXAMPLE.id,
    domain: 'brewline.example',
    pattern: FINDING_EXAMPLE.pattern,
    entity_type: FINDING_EXAMPLE.entity_type,
    entity_value: FINDING_EXAMPLE.entity_value,
    change: 'new',
    grade: FINDING_EXAMPLE.grade,
    previous_grade: null,
    count: FINDING_EXAMPLE.count,
    suspicious_from: FINDING_EXAMPLE.suspicious_from,
    dangerous_from: FINDING_EXAMPLE.dangerous_from,
    average_score: FINDING_EXAMPLE.average_score,
    first_at: '2026-10-02T08:12:00Z',
    last_at: '2026-10-08T14:21:37.205Z',
  },
}

export const PATTERN_EVENTS: Examples = { changed: { summary: 'A pattern was found', value: PATTERN } }

const CHANGED: DecisionChanged = {
  event_type: 'decision.changed',
  schema_version: SCHEMA_VERSION,
  event_id: '7f0c7f0e-2b34-4c7c-8d0a-8a7f5f8e6f21',
  created_at: '2026-10-12T09:30:04.31Z',
  data: {
    decision_id: DECIDED.decision_id,
    request_id: DECIDED.request_id,
    domain: 'brewline.example',
    purpose: DECIDED.purpose,
    answered_action: DECIDED.action,
    previous_action: DECIDED.action,
    action: 'deny',
    reasons: ['No rule decides, and the score is dangerous'],
    score: 70,
    ver: DECIDED.ver + 4_190,
    decided_at: '2026-10-12T09:30:00.12Z',
  },
}

export const DECISION_EVENTS: Examples = {
  changed: { summary: 'Later evidence speaks against the visit', value: CHANGED },
}

const SHOWN = {
  request_id: SCORED.data.request_id,
  domain: 'brewline.example',
  confidence: 0.981,
  observed_at: '2026-10-12T09:30:00.12Z',
}

const MERGED: DeviceMerged = {
  event_type: 'device.merged',
  schema_version: SCHEMA_VERSION,
  event_id: 'c1de0c9d-5d3f-4d5e-9a0c-1f0f6f6d2b3a',
  created_at: '2026-10-12T09:30:00.124Z',
  data: {
    device_id: SCORED.data.device_id,
    merged_device_id: '2f6d1f0a-3c51-5b0e-8c55-9f3b6a1d2e90',
    ...SHOWN,
  },
}

export const MERGED_EVENTS: Examples = {
  merged: { summary: 'A device proves to be an older one', value: MERGED },
}

const SPLIT: DeviceSplit = {
  event_type: 'device.split',
  schema_version: SCHEMA_VERSION,
  event_id: '60b7a6e4-8a0c-4b7d-9a53-0e6f1b2c3d4e',
  created_at: '2026-10-12T09:30:00.124Z',
  data: {
    device_id: '2f6d1f0a-3c51-5b0e-8c55-9f3b6a1d2e90',
    split_device_id: SCORED.data.device_id,
    cookie_id: SCORED.data.cookie_id,
    ...SHOWN,
    confidence: 0.97,
  },
}

export const SPLIT_EVENTS: Examples = {
  split: { summary: 'Two cookies of a device prove to be two machines', value: SPLIT },
}
