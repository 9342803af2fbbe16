import { schemaRef } from './components.ts'
import {
  described,
  errorContent,
  JSON_TYPE,
  json,
  jsonArray,
  pathParameter,
  queryParameter,
} from './content.ts'
import type { Operation, Parameter } from './document.ts'
import { EDGE_ERRORS, errorAsTextContent, errorRef, orUnmatched } from './errors.ts'
import { REQUEST_ID } from './examples/identification.ts'
import { FOUND_SNAPSHOTS, OLDER_PAGES, OLDER_ROWS } from './examples/management-bodies.ts'
import { pagingParameters, searchTypeParameter, searchValueParameter } from './history.ts'
import { type Form, keyParameter, OLDER, olderOperation } from './older-form.ts'
import type { Deployment, Paths } from './surface.ts'

const keyPair = (): Parameter[] => [
  keyParameter('public_key', 'Public Key of the domain.'),
  keyParameter('secret_key', 'Secret Key of the domain.'),
]

const search = (): Parameter[] => [
  searchTypeParameter('search_type', 'Identifier to search by. Any other text searches without a filter.'),
  searchValueParameter('A malformed UUID or IPv4 address is a `500`.'),
]

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

/** The previous form of the History API: both keys in the path. */
export function olderHistoryPaths(deployment: Deployment): Paths {
  const get = (form: Form) => ({ get: olderOperation(deployment, 'history', HISTORY_ERRORS, form) })
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
