import { z } from 'zod'
import type { ZodOpenApiOperationObject, ZodOpenApiPathsObject, ZodOpenApiResponseObject } from 'zod-openapi'
import { IngestAcknowledgment } from '../answers.ts'
import { Uuid } from '../fields.ts'
import { PUBLIC_KEY_PATTERN } from '../identifiers.ts'
import { ENCRYPTED_BODY, INGEST_BODY_VERSION, IngestBody } from '../ingest-body.ts'
import { type Deployment, serversOf } from './deployment.ts'
import { REQUEST_ID, ROW } from './example-visit.ts'
import {
  type Examples,
  errorContent,
  JSON_TYPE,
  JSON_UTF8_TYPE,
  json,
  PROXY_ERRORS,
  parameter,
  ROUTE_NOT_FOUND,
} from './responses.ts'

/** What a visitor's browser asks for: the agent, and ingest. */

export const INGEST_TAG = { name: 'Ingest', description: 'Receives the data that the agent collects.' }
export const AGENT_TAG = { name: 'Agent', description: 'The module that runs in your pages.' }

export const browserPaths = (deployment: Deployment): ZodOpenApiPathsObject => ({
  '/snapshot/{request_id}': { post: postSnapshot(deployment) },
  '/ticket/{request_id}': { get: getTicket(deployment) },
  '/noscript': { get: identifyWithoutScript(deployment) },
  '/agent.js': { get: agentScript(deployment, 'getAgent', 'Load the agent') },
  '/snippet.js': { get: agentScript(deployment, 'getAgentSnippet', 'Load the agent under its second name') },
})

const PUBLIC_KEY = z.string().regex(PUBLIC_KEY_PATTERN)
const OF_THE_DOMAIN = z.object({
  publicKey: parameter(PUBLIC_KEY, 'Public Key of the domain. The server reads no other query parameter.'),
})

/** How the server learns which page sent a request. */
const pageHeader = (description: string) =>
  parameter(z.url().optional(), description, 'https://order.brewline.example')

const UNAUTHORIZED: ZodOpenApiResponseObject = {
  id: 'IngestUnauthorized',
  description: 'No domain has this Public Key, or its page is on another host. Nothing is stored.',
  content: errorContent(
    JSON_TYPE,
    'unknown public key',
    'the page does not belong to the domain of the public key',
  ),
}

const BUSY: ZodOpenApiResponseObject = {
  id: 'IngestBusy',
  description:
    'The server is full, or its database does not answer. Nothing is stored. The agent waits and sends the same body again; do likewise.',
  content: errorContent(JSON_TYPE, 'server is busy'),
}

const { publicKeyBytes, nonceBytes, info, versionByte } = ENCRYPTED_BODY

const postSnapshot = (deployment: Deployment): ZodOpenApiOperationObject => ({
  operationId: 'postSnapshot',
  summary: 'Send an identification',
  description: [
    'The agent posts here. When the answer arrives, the identification is scored and on disk. The answer contains only the address of the client; the verdict is not sent to browsers.',
    'The page must be on the registered domain or on a host below it; the server reads `Origin`, and `Referer` where there is none. Only the first body of a request ID is stored; a second one gets the same answer. Each identification takes one from the volume of the domain.',
    'An address that sends more than `INGEST_LIMIT_PER_MINUTE` (60) gets the usual answers for as long as it is blocked. The first identification over the limit is stored as a marker (score 999, signal `rate_limited`), those after it are dropped.',
  ].join('\n\n'),
  tags: [INGEST_TAG.name],
  servers: serversOf(deployment, 'ingest'),
  security: [{ publicKey: [] }],
  requestParams: {
    path: z.object({
      request_id: parameter(
        Uuid,
        'The ID that the agent made for this identification, a UUID v4.',
        REQUEST_ID,
      ),
    }),
    query: OF_THE_DOMAIN,
    header: z.object({ Origin: pageHeader('Origin of the page. Browsers add it to every `POST`.') }),
  },
  requestBody: {
    required: true,
    description: `JSON, or the same encrypted, up to 512 KB. The server distinguishes the two by the first byte and ignores \`Content-Type\`. Somebody who intercepts a plain body can send it again with another ID; an encrypted one decrypts only with its own ID. The JSON has version ${INGEST_BODY_VERSION}.`,
    content: {
      ...json(IngestBody, INGEST_BODIES),
      'application/octet-stream': {
        schema: {
          type: 'string',
          format: 'binary',
          description: `In this order: the byte ${versionByte}; the agent's ephemeral P-256 public key as an uncompressed point (${publicKeyBytes} bytes); the nonce (${nonceBytes} bytes); ciphertext and tag of AES-256-GCM over the JSON. HKDF-SHA-256 derives the key from the ECDH secret, with the public key as salt and \`${info}\` as info. The request ID, in lower case, is the additional data.`,
        },
      },
    },
  },
  responses: {
    200: {
      description: 'The address of the client, as JSON text.',
      headers: z.object({
        'X-Sealed-Verdict': z
          .string()
          .optional()
          .describe('What only the backend of the customer can read, where the domain has sealed verdicts'),
      }),
      content: json(
        IngestAcknowledgment,
        {
          ipv4: { summary: 'IPv4', value: ROW.ip },
          ipv6: { summary: 'IPv6', value: '2001:db8:40::c1' },
        },
        JSON_UTF8_TYPE,
      ),
    },
    400: {
      description: 'The request ID is no UUID, or the body is neither of the two forms.',
      content: errorContent(
        JSON_TYPE,
        'request ID must be a UUID',
        'body is not valid JSON',
        'body must be a JSON object',
        'body is nested too deep',
        'body could not be decrypted',
      ),
    },
    401: UNAUTHORIZED,
    404: ROUTE_NOT_FOUND,
    413: {
      description: 'The body has more than 512 KB.',
      content: errorContent(JSON_TYPE, 'body is larger than 512 KB'),
    },
    503: BUSY,
    ...PROXY_ERRORS,
  },
})

const getTicket = (deployment: Deployment): ZodOpenApiOperationObject => ({
  operationId: 'getTicket',
  summary: 'Ask for a ticket',
  description:
    'The agent asks for one when a check starts, and sends it at the end of the body. It shows that the body was made for this request ID, by a page of the domain, within the hour. Bodies without one are accepted as well. An address gets five times as many as it may send identifications.',
  tags: [INGEST_TAG.name],
  servers: serversOf(deployment, 'ingest'),
  security: [{ publicKey: [] }],
  requestParams: {
    path: z.object({
      request_id: parameter(Uuid, 'The ID under which the body will be sent.', REQUEST_ID),
    }),
    query: OF_THE_DOMAIN,
    header: z.object({
      Origin: pageHeader('Origin of the page; `Referer` is read where there is none.'),
    }),
  },
  responses: {
    200: {
      description: 'The ticket.',
      headers: z.object({
        'Cache-Control': z
          .literal('no-store')
          .meta({ header: { description: 'A ticket is for one request ID.' } }),
      }),
      content: {
        'text/plain; charset=utf-8': {
          schema: z.string().regex(/^[\w-]{96}$/),
          examples: { ticket: { summary: 'Base64url of 72 bytes', value: `AVED${'k3'.repeat(46)}` } },
        },
      },
    },
    400: {
      description: 'The request ID is no UUID.',
      content: errorContent(JSON_TYPE, 'request ID must be a UUID'),
    },
    401: UNAUTHORIZED,
    404: ROUTE_NOT_FOUND,
    429: {
      description: 'The address asked for too many. Its identifications are accepted without.',
      content: errorContent(JSON_TYPE, 'too many requests'),
    },
    503: BUSY,
    ...PROXY_ERRORS,
  },
})

const identifyWithoutScript = (deployment: Deployment): ZodOpenApiOperationObject => ({
  operationId: 'identifyWithoutScript',
  summary: 'Record a visit without JavaScript',
  description:
    'The address of an image inside `<noscript>`, which a browser loads only when scripts are off. The visit is stored with the signal `javascript_disabled`, no other, and the `user_hid` `unknown`. It takes nothing from the volume of the domain.',
  tags: [INGEST_TAG.name],
  servers: serversOf(deployment, 'ingest'),
  security: [{ publicKey: [] }],
  requestParams: {
    query: OF_THE_DOMAIN,
    header: z.object({
      Referer: pageHeader(
        'Address of the page. Browsers send it with an image; `Origin`, if there is one, is read first.',
      ),
    }),
  },
  responses: {
    200: {
      description: 'A transparent GIF of one pixel.',
      headers: z.object({
        'Cache-Control': z
          .literal('no-store')
          .meta({ header: { description: 'Each visit loads it again.' } }),
      }),
      content: { 'image/gif': { schema: { type: 'string', format: 'binary' } } },
    },
    401: UNAUTHORIZED,
    404: ROUTE_NOT_FOUND,
    503: BUSY,
    ...PROXY_ERRORS,
  },
})

const agentScript = (
  deployment: Deployment,
  operationId: string,
  summary: string,
): ZodOpenApiOperationObject => ({
  operationId,
  summary,
  description: [
    'An ES module for `import()` in a page of any origin. It needs neither `unsafe-eval` nor `unsafe-inline`. Its four functions are `checkAnonymous(options)`, `checkAuthenticatedUser(userHid, options)` and, to identify each time they are called, `forceCheckAnonymous(options)` and `forceCheckAuthenticatedUser(userHid, options)`; the default export holds them, too.',
    "A call hands one object to `options.onInitialized`: `{status: 'initialized', requestID}` when it identifies, and `{status: 'not_initialized'}` when it does not, as the first two functions do within five minutes of the last check of a visit.",
  ].join('\n\n'),
  tags: [AGENT_TAG.name],
  servers: serversOf(deployment, 'agent'),
  security: [{}, { publicKey: [] }],
  requestParams: {
    query: z.object({
      publicKey: parameter(
        PUBLIC_KEY.optional(),
        'Public Key of the domain. An agent that was loaded without one answers every call with `not_initialized`.',
      ),
    }),
  },
  responses: {
    200: {
      description: 'The module.',
      headers: z.object({
        'Access-Control-Allow-Origin': z
          .literal('*')
          .meta({ header: { description: 'Pages of every origin may import it.' } }),
        'Cache-Control': z
          .string()
          .meta({ header: { description: 'Five minutes.', example: 'public, max-age=300' } }),
      }),
      content: {
        'text/javascript; charset=utf-8': {
          schema: z.string(),
          examples: {
            exports: {
              summary: 'Its exports, in short',
              value:
                'export { checkAnonymous, checkAuthenticatedUser, forceCheckAnonymous, forceCheckAuthenticatedUser }\n',
            },
          },
        },
      },
    },
    404: ROUTE_NOT_FOUND,
    ...PROXY_ERRORS,
  },
})

const COLLECTED: IngestBody = {
  version: 1,
  request_id: REQUEST_ID,
  agent_version: '0.1.0',
  session_id: ROW.session_id,
  cookie_id: ROW.cookie_id,
  user_hid: ROW.user_hid,
  landing: { url: ROW.entry_url ?? '', referrer: 'https://www.bing.com/' },
  duration_ms: 92.4180733,
  readings: {
    user_agent: { value: 'Mozilla/5.0 (X11; Linux x86_64; rv:143.0) Gecko/20100101 Firefox/143.0' },
    client_hints: { error: 'unsupported' },
    platform: { value: 'Linux x86_64' },
    screen: {
      value: {
        width: 2560,
        height: 1440,
        avail_width: 2560,
        avail_height: 1408,
        color_depth: 24,
        pixel_ratio: 1.25,
      },
    },
    timezone: { value: { name: 'America/Sao_Paulo', offset_minutes: -180 } },
    languages: { value: { language: 'pt-BR', languages: ['pt-BR', 'pt', 'en'], locale: 'pt-BR' } },
    hardware: { value: { cores: 12, memory_gb: null, max_touch_points: 0 } },
    typefaces: { value: ['DejaVu Sans', 'Liberation Serif', 'Noto Sans'] },
    media_devices: { error: 'unsupported' },
    automation: { value: { webdriver: false, markers: [] } },
  },
}

const INGEST_BODIES: Examples = {
  collected: { summary: 'What the agent sends, shortened', value: COLLECTED },
  empty: {
    summary: 'A reading that is missing counts as unknown, neither good nor bad',
    value: {} satisfies IngestBody,
  },
}
