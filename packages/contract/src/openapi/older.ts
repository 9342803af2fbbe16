import { schemaRef } from './components.ts'
import {
  content,
  described,
  errorContent,
  JSON_TYPE,
  JSON_UTF8_TYPE,
  json,
  jsonArray,
  pathParameter,
  queryParameter,
} from './content.ts'
import type { Operation, Parameter } from './document.ts'
import { EDGE_ERRORS, errorAsTextContent, errorRef, orUnmatched } from './errors.ts'
import { REQUEST_ID } from './examples/identification.ts'
import {
  FOUND_SNAPSHOTS,
  OLDER_PAGES,
  OLDER_ROWS,
  PROFILES,
  SNAPSHOTS,
} from './examples/management-bodies.ts'
import { pagingParameters, searchTypeParameter, searchValueParameter } from './history.ts'
import { LEGACY_SEARCH_RESPONSES, legacySearchParameters, MANAGEMENT_ERRORS } from './management.ts'
import { type Deployment, type Paths, type PublicUrls, serversOf } from './surface.ts'

export const OLDER_TAG = 'Older forms'

const OLDER =
  'An older form that carries its credentials in the path, where logs and proxies see them. Prefer'

const key = (name: string, description: string): Parameter =>
  pathParameter(name, { type: 'string', pattern: '^[0-9a-f]{32}$' }, description)

const keyPair = (): Parameter[] => [
  key('public_key', 'Public Key of the domain.'),
  key('secret_key', 'Secret Key of the domain.'),
]

const domainAndSecret = (): Parameter[] => [
  pathParameter(
    'domain',
    { type: 'string', minLength: 1, maxLength: 253 },
    'Registered domain, matched exactly.',
    'example.com',
  ),
  key('secret', 'Secret Key of the domain.'),
]

const search = (): Parameter[] => [
  searchTypeParameter('search_type', 'Identifier to search by. Any other text searches without a filter.'),
  searchValueParameter('A malformed UUID or IPv4 address is a `500`.'),
]

export const olderPaths = (deployment: Deployment): Paths => ({
  ...historyForms(deployment),
  ...managementForms(deployment),
})

type Form = Pick<
  Operation,
  'operationId' | 'summary' | 'description' | 'parameters' | 'requestBody' | 'responses'
>

/** The credentials are path parameters, so no security scheme applies. */
const operation = (
  deployment: Deployment,
  host: keyof PublicUrls,
  errors: Operation['responses'],
  { responses, ...form }: Form,
): Operation => ({
  ...form,
  tags: [OLDER_TAG],
  servers: serversOf(deployment, host),
  security: [],
  responses: { ...errors, ...responses },
})

const HISTORY_ERRORS: Operation['responses'] = {
  401: described(
    'The keys are not those of one domain. JSON text that is sent as plain text.',
    errorAsTextContent('invalid public key or secret key'),
  ),
  404: errorRef('RouteNotFound'),
  429: errorRef('HistoryRateLimited'),
  500: errorRef('HistoryServerError'),
  ...EDGE_ERRORS,
}

const nothingFound = orUnmatched('Nothing matches.', errorContent(JSON_TYPE, 'no sessions found'))

function historyForms(deployment: Deployment): Paths {
  const get = (form: Form) => ({ get: operation(deployment, 'history', HISTORY_ERRORS, form) })
  return {
    '/pub/{public_key}/{secret_key}/history/{search_type}/{value}': get({
      operationId: 'olderSearchHistory',
      summary: 'Search identifications',
      description: `${OLDER} \`searchHistory\`. An empty page when nothing matches.`,
      parameters: [...keyPair(), ...search(), ...pagingParameters()],
      responses: { 200: described('A page of short rows.', json('OlderHistoryPage', OLDER_PAGES)) },
    }),
    '/pub/{public_key}/{secret_key}/debug/{search_type}/{value}': get({
      operationId: 'olderDebugHistory',
      summary: 'Get the last snapshots',
      description: `${OLDER} \`searchHistory\`. The last 1 to 20 snapshots, newest first.`,
      parameters: [
        ...keyPair(),
        ...search(),
        queryParameter(
          'limit',
          { type: 'integer', minimum: 1, maximum: 20, default: 20 },
          'Snapshots to answer with. Anything else becomes 20.',
        ),
      ],
      responses: {
        200: described('Snapshots, as a bare array.', jsonArray('LegacySnapshot', FOUND_SNAPSHOTS)),
        404: nothingFound,
      },
    }),
    '/pub/{public_key}/{secret_key}/request/{request_id}': get({
      operationId: 'olderGetRequest',
      summary: 'Get one identification',
      description: `${OLDER} \`searchHistory\` with \`request_id\`.`,
      parameters: [
        ...keyPair(),
        pathParameter('request_id', schemaRef('Uuid'), 'The identification.', REQUEST_ID),
      ],
      responses: {
        200: described('The identification.', json('OlderHistoryRow', OLDER_ROWS)),
        404: nothingFound,
      },
    }),
  }
}

const CALLBACK = 'https://api.example.com/hooks/identification'

function managementForms(deployment: Deployment): Paths {
  const form = (form: Form) => operation(deployment, 'management', MANAGEMENT_ERRORS, form)
  return {
    '/{domain}:{secret}/profile': {
      get: form({
        operationId: 'olderGetDomainProfile',
        summary: 'Get the domain profile',
        description: `${OLDER} \`getDomainProfile\`.`,
        parameters: domainAndSecret(),
        responses: { 200: described('The profile.', json('DomainProfile', PROFILES, JSON_UTF8_TYPE)) },
      }),
    },
    '/{domain}:{secret}/callback': {
      post: form({
        operationId: 'olderSetCallback',
        summary: 'Set the webhook URL',
        description: `Creates or replaces the one endpoint that is the callback of the domain, enabled, with a signing secret of its own that a replaced URL keeps. The profile shows its URL as \`Callback\`; other endpoints stay as they are.`,
        parameters: domainAndSecret(),
        requestBody: {
          required: true,
          description: 'The bare HTTPS URL, not JSON.',
          content: content(
            'text/plain',
            { type: 'string', format: 'uri' },
            {
              url: { summary: 'A URL', value: CALLBACK },
            },
          ),
        },
        responses: {
          200: described(
            'The URL is set.',
            json(
              'CallbackAnswer',
              { set: { summary: 'The URL', value: { callback: CALLBACK } } },
              JSON_UTF8_TYPE,
            ),
          ),
          400: described(
            'The URL cannot be used.',
            errorContent(
              JSON_TYPE,
              'the webhook URL must use https',
              'the webhook URL is not a URL',
              'the webhook URL must not carry credentials',
              'the webhook URL is too long',
            ),
          ),
        },
      }),
    },
    '/{domain}:{secret}/history/{type}/{value}': {
      get: form({
        operationId: 'olderSearchManagementHistory',
        summary: 'Search history, Management',
        description: `${OLDER} \`searchHistory\`. The deprecated search under another path, without its headers.`,
        parameters: [...domainAndSecret(), ...legacySearchParameters()],
        responses: LEGACY_SEARCH_RESPONSES,
      }),
    },
  }
}
