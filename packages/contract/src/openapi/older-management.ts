import { z } from 'zod'
import type {
  ZodOpenApiContentObject,
  ZodOpenApiOperationObject,
  ZodOpenApiPathsObject,
  ZodOpenApiResponseObject,
  ZodOpenApiResponsesObject,
} from 'zod-openapi'
import { ENDPOINTS_MAX } from '../account/endpoints.ts'
import { DomainProfile } from '../answers.ts'
import { SearchTypeName } from '../fields.ts'
import { CallbackAnswer, LegacySnapshot } from '../older-shapes.ts'
import { type Deployment, serversOf } from './deployment.ts'
import { REQUEST_ID } from './example-visit.ts'
import {
  domainHeader,
  MANAGEMENT_CREDENTIALS,
  MANAGEMENT_ERRORS,
  MANAGEMENT_TAG,
  MANAGEMENT_UNAUTHORIZED,
  PROFILES,
} from './management.ts'
import { keyParameter, OLDER, OLDER_TAG, SNAPSHOT } from './older-history.ts'
import { errorContent, JSON_TYPE, JSON_UTF8_TYPE, json, orUnmatched, parameter } from './responses.ts'

/** Management routes that exist for older clients: the deprecated search, and the forms with the secret in the path. */

const SUNSET = 'Fri, 01 Jan 2027 00:00:00 GMT'

/** Bare JSON strings or `null`, one example each. */
const bareJson = (examples: Record<string, string | null>): ZodOpenApiContentObject =>
  json(
    Object.values(examples).includes(null) ? z.string().nullable() : z.string(),
    Object.fromEntries(
      Object.entries(examples).map(([name, value]) => [name, { summary: JSON.stringify(value), value }]),
    ),
    JSON_UTF8_TYPE,
  )

const SEARCH = {
  type: parameter(
    SearchTypeName,
    'The identifier to search by. Any other text is answered with a `404` whose body is a bare JSON string.',
    'request_id',
  ),
  value: parameter(
    z.string().min(1),
    'What to find, written as in `searchHistory`. An IPv6 address is a valid `ip`, but no row has one: the answer is a `400` with `null`.',
    REQUEST_ID,
  ),
}

const LIMIT = parameter(
  z.int().min(1).max(100).default(100),
  'How many to answer with. The server uses 100 for anything else. There is no second page.',
)

const SEARCH_RESPONSES = {
  200: {
    description: 'An array of snapshots, newest first.',
    content: json(
      z.array(LegacySnapshot),
      {
        found: { summary: 'One identification', value: [SNAPSHOT] },
        nothing: { summary: 'Nothing found', value: [] },
      },
      JSON_UTF8_TYPE,
    ),
  },
  400: {
    description: 'The value does not fit the type: a bare JSON string, or `null` for an IPv6 address.',
    content: bareJson({
      malformedUuid: 'fail parse uuid',
      malformedAddress: 'invalid IP address',
      blankValue: 'value cannot be empty',
      queryFailed: null,
    }),
  },
  404: orUnmatched(
    'There is no such search type: a bare JSON string.',
    bareJson({ unsupportedType: 'email is not supported' }),
  ),
} satisfies ZodOpenApiResponsesObject

export const deprecatedPaths = (deployment: Deployment): ZodOpenApiPathsObject => ({
  '/v1/history/{type}/{value}': { get: searchHistoryDeprecated(deployment) },
})

/** Headers that announce the end of the deprecated search. */
const announcementOf = ({ urls }: Deployment) => {
  const link = `<${urls.history}/api/v1/history>; rel="successor-version"`
  const header = (id: string, schema: z.ZodType, description: string, example: string) =>
    schema.meta({ header: { id, description, example } })
  return z.object({
    Deprecation: header('Deprecation', z.literal('true'), 'Always `true`.', 'true'),
    Sunset: header('Sunset', z.literal(SUNSET), 'The time at which it stops working.', SUNSET),
    Link: header('Link', z.string(), 'Its replacement: the search of the History API.', link),
  })
}

function searchHistoryDeprecated(deployment: Deployment): ZodOpenApiOperationObject {
  const headers = announcementOf(deployment)
  const announced = ({ id: _shared, ...response }: ZodOpenApiResponseObject) => ({ ...response, headers })
  return {
    operationId: 'searchHistoryDeprecated',
    summary: 'Search history',
    description: `Replaced by \`searchHistory\`; from ${SUNSET} on every request gets a \`410\`. It finds only rows whose host is the domain itself, answers the newest of them, and counts against the limit of the Management API.`,
    tags: [MANAGEMENT_TAG.name],
    deprecated: true,
    servers: serversOf(deployment, 'management'),
    security: MANAGEMENT_CREDENTIALS,
    requestParams: {
      path: z.object(SEARCH),
      query: z.object({ limit: LIMIT }),
      header: domainHeader(deployment),
    },
    responses: {
      ...MANAGEMENT_ERRORS,
      200: announced(SEARCH_RESPONSES[200]),
      400: announced(SEARCH_RESPONSES[400]),
      401: announced(MANAGEMENT_UNAUTHORIZED),
      404: announced({
        ...SEARCH_RESPONSES[404],
        description: `${SEARCH_RESPONSES[404].description} The three headers are missing from that one.`,
      }),
      410: announced({
        description: 'The date in `Sunset` has passed.',
        content: bareJson({ ended: 'this endpoint ended on 2027-01-01, use the History API' }),
      }),
    },
  }
}

const CALLBACK = 'https://api.brewline.example/inkling'

const CREDENTIALS = {
  domain: parameter(
    z.string().min(1).max(253),
    'The registered domain, letter for letter.',
    'brewline.example',
  ),
  secret: keyParameter('Secret Key of the domain.'),
}

/** The Management API with domain and secret in the path. */
export function olderManagementPaths(deployment: Deployment): ZodOpenApiPathsObject {
  const operation = ({ responses, ...rest }: ZodOpenApiOperationObject): ZodOpenApiOperationObject => ({
    ...rest,
    tags: [OLDER_TAG.name],
    servers: serversOf(deployment, 'management'),
    security: [],
    responses: { ...MANAGEMENT_ERRORS, ...responses },
  })
  return {
    '/{domain}:{secret}/profile': {
      get: operation({
        operationId: 'olderGetDomainProfile',
        summary: 'Get the domain profile',
        description: `${OLDER} \`getDomainProfile\`.`,
        requestParams: { path: z.object(CREDENTIALS) },
        responses: {
          200: { description: 'The profile.', content: json(DomainProfile, PROFILES, JSON_UTF8_TYPE) },
        },
      }),
    },
    '/{domain}:{secret}/callback': {
      post: operation({
        operationId: 'olderSetCallback',
        summary: 'Set the webhook URL',
        description:
          'Makes the URL the callback of the domain: an enabled endpoint whose URL the profile shows. The first call creates it with a signing secret of its own. A later call gives it another URL and keeps the secret. Endpoints that were added elsewhere are not touched.',
        requestParams: { path: z.object(CREDENTIALS) },
        requestBody: {
          required: true,
          description: 'The `https` URL as it is, without quotes.',
          content: {
            'text/plain': { schema: z.url(), examples: { url: { summary: 'A URL', value: CALLBACK } } },
          },
        },
        responses: {
          200: {
            description: 'It is set.',
            content: json(
              CallbackAnswer,
              { set: { summary: 'The URL', value: { callback: CALLBACK } } },
              JSON_UTF8_TYPE,
            ),
          },
          400: {
            description: 'Events cannot be sent to this URL.',
            content: errorContent(
              JSON_TYPE,
              'the webhook URL must use https',
              'the webhook URL is not a URL',
              'the webhook URL must not carry credentials',
              'the webhook URL is too long',
            ),
          },
          409: {
            description: 'The domain has no callback yet, and as many endpoints as it may have.',
            content: errorContent(JSON_TYPE, `the domain has ${ENDPOINTS_MAX} webhook endpoints; remove one`),
          },
        },
      }),
    },
    '/{domain}:{secret}/history/{type}/{value}': {
      get: operation({
        operationId: 'olderSearchManagementHistory',
        summary: 'Search history, Management',
        description: `${OLDER} \`searchHistory\`. It answers as \`searchHistoryDeprecated\` does, without the headers that announce the end.`,
        requestParams: { path: z.object({ ...CREDENTIALS, ...SEARCH }), query: z.object({ limit: LIMIT }) },
        responses: SEARCH_RESPONSES,
      }),
    },
  }
}
