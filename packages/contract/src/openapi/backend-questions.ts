import type { z } from 'zod'
import type { ZodOpenApiOperationObject, ZodOpenApiPathsObject } from 'zod-openapi'
import { Assessment, AssessRequest } from '../assess.ts'
import { DecideAnswer, DecideRefusal, DecideRequest } from '../decide.ts'
import { Label, LabelDraft } from '../labels.ts'
import { type Deployment, serversOf } from './deployment.ts'
import { ASSESSMENT, DECIDED, EDGE_REQUEST, REQUEST_ID, ROW } from './example-visit.ts'
import { HISTORY_TAG } from './history.ts'
import {
  errorContent,
  JSON_TYPE,
  json,
  orUnmatched,
  PROXY_ERRORS,
  RETRY_AFTER,
  ROUTE_NOT_FOUND,
  wrongScope,
} from './responses.ts'

/** What a backend asks about its visitors, and tells of them. */
export const backendPaths = (deployment: Deployment): ZodOpenApiPathsObject => ({
  '/api/v1/assess': { post: assessRequest(deployment) },
  '/api/v1/decide': { post: decideVisit(deployment) },
  '/api/v1/labels': { post: labelVisitor(deployment) },
})

const assessRequest = (deployment: Deployment): ZodOpenApiOperationObject => ({
  operationId: 'assessRequest',
  summary: 'Assess a request',
  description: [
    'What a request to your own site shows, before any page has run: the program that it declares and what vouches for that, what your rules for agents say, whether the request fits the client that it claims to be from, and what is known of its address. Your edge or middleware asks with the request as it came.',
    'Nothing is stored. Signals that need the page are `unknown`. The keys of an agent that was never seen before are fetched in the background: its first request is `unknown`, with a signature that is `pending`.',
    'With the `request_id` that the page sent along, the answer also compares the request with that identification.',
  ].join('\n\n'),
  tags: [HISTORY_TAG.name],
  servers: serversOf(deployment, 'history'),
  security: [{ apiKey: [] }],
  requestBody: {
    required: true,
    content: json(AssessRequest, {
      request: { summary: 'A signed request of an agent', value: EDGE_REQUEST },
    }),
  },
  responses: {
    200: {
      description: 'The assessment.',
      content: json(Assessment, {
        assessment: { summary: 'An agent that proves who it is', value: ASSESSMENT },
      }),
    },
    400: {
      description: 'The body is not such a request.',
      content: errorContent(JSON_TYPE, 'address: not an IP address'),
    },
    401: {
      description: 'No Bearer token was sent, or no domain that is switched on has this key.',
      content: errorContent(JSON_TYPE, 'invalid api key'),
    },
    403: wrongScope('assess'),
    404: ROUTE_NOT_FOUND,
    413: {
      description: 'The body is larger than 64 KB.',
      content: errorContent(JSON_TYPE, 'request body too large'),
    },
    429: {
      description: 'The domain asked more often than `ASSESS_LIMIT_PER_SECOND` allows.',
      headers: RETRY_AFTER,
      content: errorContent(JSON_TYPE, 'too many requests'),
    },
    ...PROXY_ERRORS,
  },
})

const decideVisit = (deployment: Deployment): ZodOpenApiOperationObject => ({
  operationId: 'decideVisit',
  summary: 'Decide about a visit',
  description: [
    'What to do about a visitor who signs up, logs in or pays: `allow`, `review`, `challenge` or `deny`, by the lists and rules of the domain. Without any of them it is `allow`.',
    'If the identification is still on its way, the answer waits for it, up to `wait_ms`. It is judged as it is then; later evidence changes no answer, and a `decision.changed` event tells if it would have.',
    'A visit answers each purpose once, so that nobody uses the one of somebody else again. Send an `idempotency_key` and a failed request can be repeated: the same question with the same key has the same answer.',
  ].join('\n\n'),
  tags: [HISTORY_TAG.name],
  servers: serversOf(deployment, 'history'),
  security: [{ apiKey: [] }],
  requestBody: {
    required: true,
    content: json(DecideRequest, { signup: { summary: 'A sign-up', value: QUESTION } }),
  },
  responses: {
    200: {
      description: 'The decision.',
      content: json(DecideAnswer, { challenge: { summary: 'A rule asks for a challenge', value: DECIDED } }),
    },
    400: {
      description: 'The body is no question, or the account or address in it names none.',
      content: errorContent(JSON_TYPE, 'account: names no account'),
    },
    401: {
      description: 'No Bearer token was sent, or no domain that is switched on has this key.',
      content: errorContent(JSON_TYPE, 'invalid api key'),
    },
    403: wrongScope('decide'),
    404: orUnmatched(
      'The domain has no identification of this ID, and none came within `wait_ms`.',
      errorContent(JSON_TYPE, 'no such identification'),
    ),
    409: {
      description: 'The visit is not decided about, for the reason given.',
      content: json(DecideRefusal, {
        used: {
          summary: 'Somebody sent the request ID again',
          value: { error: 'the visit was decided about for this purpose already', reason: 'visit_used' },
        },
      }),
    },
    413: {
      description: 'The body is larger than 16 KB.',
      content: errorContent(JSON_TYPE, 'request body too large'),
    },
    429: {
      description: 'The domain asked more than 200 questions in a second, or 128 of them wait.',
      headers: RETRY_AFTER,
      content: errorContent(JSON_TYPE, 'too many requests'),
    },
    ...PROXY_ERRORS,
  },
})

const QUESTION: z.input<typeof DecideRequest> = {
  request_id: REQUEST_ID,
  purpose: 'signup',
  account: 'b7e2f0c4',
  fields: { plan: 'trial' },
  client_address: '192.0.2.44',
  idempotency_key: 'signup-1042',
}

const labelVisitor = (deployment: Deployment): ZodOpenApiOperationObject => ({
  operationId: 'labelVisitor',
  summary: 'Label a visitor',
  description: [
    'What you found out about a visitor, such as a chargeback: back-tests measure rules by it, and the dashboard shows it with what it reaches. It changes no score and no decision.',
    'The same kind, subject and source is the same label: sending it again changes time and note, so a failed request can be repeated. A backend may send 20 a second; import a file for more. A domain has at most 100,000 labels.',
  ].join('\n\n'),
  tags: [HISTORY_TAG.name],
  servers: serversOf(deployment, 'history'),
  security: [{ apiKey: [] }],
  requestBody: {
    required: true,
    content: json(LabelDraft, {
      chargeback: {
        summary: 'A chargeback',
        value: {
          kind: 'chargeback',
          subject: { type: 'account', value: ROW.user_hid },
          source: 'payment_provider',
          at: '2026-10-12T09:30:00.000Z',
          note: 'Order 1042',
        },
      },
    }),
  },
  responses: {
    200: {
      description: 'The label as it is stored.',
      content: json(Label, {
        chargeback: {
          summary: 'A chargeback',
          value: {
            id: 12,
            kind: 'chargeback',
            subject: { type: 'account', value: ROW.user_hid },
            source: 'payment_provider',
            at: '2026-10-12T09:30:00.000Z',
            note: 'Order 1042',
            author: 'api key',
          },
        },
      }),
    },
    400: {
      description: 'The body is not a label, or its subject names nobody.',
      content: errorContent(JSON_TYPE, 'subject.value: names nobody'),
    },
    401: {
      description: 'No Bearer token was sent, or no domain that is switched on has this key.',
      content: errorContent(JSON_TYPE, 'invalid api key'),
    },
    403: wrongScope('labels:write'),
    404: ROUTE_NOT_FOUND,
    409: {
      description: 'The domain has as many labels as it may have.',
      content: errorContent(JSON_TYPE, 'a domain has at most 100000 labels; remove some'),
    },
    413: {
      description: 'The body is larger than 16 KB.',
      content: errorContent(JSON_TYPE, 'request body too large'),
    },
    429: {
      description: 'The domain sends more labels than 20 a second.',
      headers: RETRY_AFTER,
      content: errorContent(JSON_TYPE, 'too many requests'),
    },
    ...PROXY_ERRORS,
  },
})
