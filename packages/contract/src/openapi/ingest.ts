import { ENCRYPTED_BODY, INGEST_BODY_VERSION } from '../ingest-body.ts'
import { schemaRef } from './components.ts'
import {
  content,
  described,
  errorContent,
  JSON_TYPE,
  JSON_UTF8_TYPE,
  json,
  pathParameter,
  queryParameter,
} from './content.ts'
import type { Operation, Parameter } from './document.ts'
import { EDGE_ERRORS, errorRef } from './errors.ts'
import { REQUEST_ID } from './examples/identification.ts'
import { INGEST_BODIES } from './examples/ingest-bodies.ts'
import { type Deployment, type Paths, serversOf } from './surface.ts'

export const INGEST_TAG = 'Ingest'

const { publicKeyBytes, nonceBytes, info, versionByte } = ENCRYPTED_BODY

export const publicKeyParameter = (description: string, required: boolean): Parameter =>
  queryParameter('publicKey', { type: 'string', pattern: '^[0-9a-f]{32}$' }, description, required)

const ofTheDomain = (): Parameter =>
  publicKeyParameter('Public Key of the domain. Other query parameters are ignored.', true)

/** How the service learns which page sent a request. */
const pageParameter = (name: 'Origin' | 'Referer', description: string): Parameter => ({
  name,
  in: 'header',
  required: false,
  description: `${description} Its host must be the domain of the key or one of its subdomains; browsers send it by themselves.`,
  schema: { type: 'string', format: 'uri' },
  example: 'https://shop.example.com',
})

export const ingestPaths = (deployment: Deployment): Paths => ({
  '/snapshot/{request_id}': { post: postSnapshot(deployment) },
  '/noscript': { get: noscript(deployment) },
})

const postSnapshot = (deployment: Deployment): Operation => ({
  operationId: 'postSnapshot',
  summary: 'Send an identification',
  description: [
    'Used by the agent. The answer means stored, never a score: a browser receives no score, device ID or visitor ID.',
    'The page must be on the domain of the key or on one of its subdomains, told by `Origin` or else by `Referer`. The first body under a request ID counts: a later one is answered as usual and changes nothing. One identification uses one unit of the included volume.',
    'An address over the rate limit still gets the usual answer. One row marks it (score 999, signal `rate_limited`); what it sends while blocked gets no row and no webhook.',
  ].join('\n\n'),
  tags: [INGEST_TAG],
  servers: serversOf(deployment, 'ingest'),
  security: [{ publicKey: [] }],
  parameters: [
    pathParameter('request_id', schemaRef('Uuid'), 'UUID v4 made in the browser.', REQUEST_ID),
    ofTheDomain(),
    pageParameter('Origin', 'Origin of the page; without it `Referer` counts.'),
  ],
  requestBody: {
    required: true,
    description: `At most 512 KB. The first byte tells the two forms apart, whatever \`Content-Type\` says. Only the encrypted form binds the request ID: a captured plain body can be sent again under a new one. The plain form is version ${INGEST_BODY_VERSION}.`,
    content: {
      ...json('IngestBody', INGEST_BODIES),
      ...content('application/octet-stream', {
        type: 'string',
        format: 'binary',
        description: `One version byte (${versionByte}), the ephemeral P-256 public key of the agent (${publicKeyBytes} bytes, uncompressed), a nonce of ${nonceBytes} bytes, then the AES-256-GCM ciphertext and tag of the JSON form. Key: HKDF-SHA-256 over the ECDH secret, salt the ephemeral public key, info \`${info}\`. Additional data: the request ID in lower case.`,
      }),
    },
  },
  responses: {
    200: described(
      'Stored, or already used, or blocked: the address of the client as a JSON string.',
      json(
        'IngestAcknowledgment',
        {
          ipv4: { summary: 'IPv4', value: '203.0.113.10' },
          ipv6: { summary: 'IPv6', value: '2001:db8::7' },
        },
        JSON_UTF8_TYPE,
      ),
    ),
    400: described(
      'The request ID is no UUID, or the body cannot be read.',
      errorContent(
        JSON_TYPE,
        'request ID must be a UUID',
        'body is not valid JSON',
        'body must be a JSON object',
        'body is nested too deep',
        'body could not be decrypted',
      ),
    ),
    401: errorRef('IngestUnauthorized'),
    404: errorRef('RouteNotFound'),
    413: described('The body is larger than 512 KB.', errorContent(JSON_TYPE, 'body is larger than 512 KB')),
    503: errorRef('IngestBusy'),
    ...EDGE_ERRORS,
  },
})

const noscript = (deployment: Deployment): Operation => ({
  operationId: 'identifyWithoutScript',
  summary: 'Record a visit without JavaScript',
  description:
    'An image for `<noscript>`. It records an identification with the single signal `javascript_disabled` and the `user_hid` `unknown`.',
  tags: [INGEST_TAG],
  servers: serversOf(deployment, 'ingest'),
  security: [{ publicKey: [] }],
  parameters: [ofTheDomain(), pageParameter('Referer', 'Address of the page; `Origin` counts before it.')],
  responses: {
    200: {
      description: 'A transparent image of one pixel.',
      headers: {
        'Cache-Control': { description: 'Never kept.', schema: { type: 'string', const: 'no-store' } },
      },
      content: content('image/gif', { type: 'string', format: 'binary' }),
    },
    401: errorRef('IngestUnauthorized'),
    404: errorRef('RouteNotFound'),
    503: errorRef('IngestBusy'),
    ...EDGE_ERRORS,
  },
})
