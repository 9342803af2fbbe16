import { described, JSON_UTF8_TYPE, json } from './content.ts'
import type { Header, Operation, Parameter, Reference, Response } from './document.ts'
import { EDGE_ERRORS, errorRef, SHARED_ERRORS } from './errors.ts'
import { PROFILES } from './examples/management-bodies.ts'
import { bareJson, LEGACY_SEARCH_RESPONSES, legacySearchParameters } from './legacy-search.ts'
import { type Deployment, headerName, type Paths, serversOf } from './surface.ts'

export const MANAGEMENT_TAG = 'Management'

const SUNSET = 'Fri, 01 Jan 2027 00:00:00 GMT'

/** Errors of every Management request. */
export const MANAGEMENT_ERRORS = {
  401: errorRef('ManagementUnauthorized'),
  404: errorRef('RouteNotFound'),
  429: errorRef('ManagementRateLimited'),
  503: errorRef('ServerBusy'),
  ...EDGE_ERRORS,
}

export const managementPaths = (deployment: Deployment): Paths => ({
  '/v1/profile': { get: getDomainProfile(deployment) },
  '/v1/history/{type}/{value}': { get: searchHistoryDeprecated(deployment) },
})

const domainParameter = (deployment: Deployment): Parameter => ({
  name: headerName(deployment, 'Domain'),
  in: 'header',
  required: true,
  description:
    'Registered domain, matched exactly: lowercase, without scheme, path, slash at the end or `www.` in front.',
  schema: { type: 'string', minLength: 1, maxLength: 253 },
  example: 'example.com',
})

const credentials = [{ secretKey: [], domainHeader: [] }]

const getDomainProfile = (deployment: Deployment): Operation => ({
  operationId: 'getDomainProfile',
  summary: 'Get the domain profile',
  description: 'The registered domain, its remaining volume and its masked keys. Reads are free.',
  tags: [MANAGEMENT_TAG],
  servers: serversOf(deployment, 'management'),
  security: credentials,
  parameters: [domainParameter(deployment)],
  responses: {
    200: described('The profile.', json('DomainProfile', PROFILES, JSON_UTF8_TYPE)),
    ...MANAGEMENT_ERRORS,
  },
})

/** Headers by which the deprecated endpoint announces its end. */
export const deprecationHeaders = ({ urls }: Deployment): Record<string, Header> => ({
  Deprecation: {
    description: 'Says that the endpoint is deprecated.',
    schema: { type: 'string', const: 'true' },
    example: 'true',
  },
  Sunset: {
    description: 'When the endpoint stops working, as an HTTP date.',
    schema: { type: 'string', const: SUNSET },
    example: SUNSET,
  },
  Link: {
    description: 'The History API search that takes its place.',
    schema: { type: 'string' },
    example: `<${urls.history}/api/v1/history>; rel="successor-version"`,
  },
})

const DEPRECATION: Record<string, Reference> = Object.fromEntries(
  ['Deprecation', 'Sunset', 'Link'].map((name) => [name, { $ref: `#/components/headers/${name}` }]),
)

const announced = (response: Response): Response => ({ ...response, headers: DEPRECATION })

const searchHistoryDeprecated = (deployment: Deployment): Operation => ({
  operationId: 'searchHistoryDeprecated',
  summary: 'Search history',
  description: [
    'Stops working after 2027-01-01 00:00:00 GMT; use `searchHistory` instead. It is free, and shares credentials and rate limit with the profile.',
    'Newest first, without paging. Only rows whose request host equals the domain: its subdomains are not included.',
  ].join('\n\n'),
  tags: [MANAGEMENT_TAG],
  deprecated: true,
  servers: serversOf(deployment, 'management'),
  security: credentials,
  parameters: [...legacySearchParameters(), domainParameter(deployment)],
  responses: {
    ...MANAGEMENT_ERRORS,
    200: announced(LEGACY_SEARCH_RESPONSES[200]),
    400: announced(LEGACY_SEARCH_RESPONSES[400]),
    401: announced(SHARED_ERRORS.ManagementUnauthorized),
    404: announced({
      ...LEGACY_SEARCH_RESPONSES[404],
      description: `${LEGACY_SEARCH_RESPONSES[404].description} That text comes without the three headers.`,
    }),
    410: announced(
      described(
        'The endpoint has stopped working: it is past the date in `Sunset`.',
        bareJson({ ended: 'this endpoint ended on 2027-01-01, use the History API' }),
      ),
    ),
  },
})
