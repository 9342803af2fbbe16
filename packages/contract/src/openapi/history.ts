import { schemaRef } from './components.ts'
import { described, errorContent, JSON_TYPE, json, pathParameter, queryParameter } from './content.ts'
import type { Operation, Parameter } from './document.ts'
import { EDGE_ERRORS, errorRef, orUnmatched } from './errors.ts'
import { HISTORY_PAGES } from './examples/history-pages.ts'
import { EXPLANATION, REQUEST_ID } from './examples/identification.ts'
import { type Deployment, type Paths, serversOf } from './surface.ts'

export const HISTORY_TAG = 'History'

export const searchTypeParameter = (name: string, description: string): Parameter =>
  pathParameter(name, schemaRef('SearchType'), description, 'request_id')

/** How a value is written into a path. */
export const searchValueParameter = (...more: string[]): Parameter =>
  pathParameter(
    'value',
    { type: 'string', minLength: 1 },
    [
      'What to search for, as one path segment that is not empty.',
      "- `request_id`, `device_id`, `visitor_id`, `session_id`, `cookie_id`: a UUID of any version, lowercase.\n- `ip`: a dotted public IPv4 address; IPv6 cannot be searched, nor can rows without an address (`0.0.0.0`).\n- `user_hid`: the exact value, case included. `A-Z a-z 0-9 - . _ ~ $ & + , : ; = @` stay as they are; every other byte of its UTF-8 form is written as `%XX` with upper-case digits, `! ' ( ) *`, blanks and `%` too. Any other escaping is compared literally and finds nothing. A value with `/` in it cannot be searched; `.` and `..` cannot be sent.",
      ...more,
    ].join('\n\n'),
    REQUEST_ID,
  )

export const pagingParameters = (): Parameter[] => [
  queryParameter(
    'limit',
    { type: 'integer', minimum: 1, maximum: 100, default: 20 },
    'Rows in a page. Anything else, text that is no number included, is replaced by 20 and not clamped. A signed decimal integer is read, so `05` is 5; of repeated parameters the first counts.',
  ),
  queryParameter(
    'offset',
    { type: 'integer', minimum: 0, default: 0 },
    'Rows to skip. A negative value, or text that is no number, is treated as 0.',
  ),
]

export const historyPaths = (deployment: Deployment): Paths => ({
  '/api/v1/history/{search_type}/{value}': { get: searchHistory(deployment) },
  '/api/v1/explanation/{request_id}': { get: getExplanation(deployment) },
})

const searchHistory = (deployment: Deployment): Operation => ({
  operationId: 'searchHistory',
  summary: 'Search identifications',
  description: [
    'The read path to rely on: always the latest version of each row. The key selects the domain; its subdomains are included. Reads are free.',
    'Rows are ordered by `created_at` only, newest first. Page with `offset` while it is below `total`; while new rows arrive, pages can repeat or skip rows, so deduplicate on `request_id`.',
    'To read one verdict, search by `request_id` with `limit=1`. A row appears about 1-3 seconds after the browser call and can be refined for about ten: try at once, then wait 250 ms, 500 ms, 1 s, then steps of about 1.5 s. An empty page means not scored yet, never clean. A `429` means to wait longer.',
    'Paths start at the root of the host: a base URL that already ends in `/api` leads to `/api/api/v1/…`, which is a `404`.',
  ].join('\n\n'),
  tags: [HISTORY_TAG],
  servers: serversOf(deployment, 'history'),
  security: [{ apiKey: [] }],
  parameters: [
    searchTypeParameter(
      'search_type',
      'Identifier to search by. It is not checked: any other text searches without a filter and answers with the latest identifications of the whole domain.',
    ),
    searchValueParameter('A malformed UUID or IPv4 address is a `500`.'),
    ...pagingParameters(),
  ],
  responses: {
    200: described('A page of identifications.', json('HistoryPage', HISTORY_PAGES)),
    401: errorRef('HistoryUnauthorized'),
    404: errorRef('RouteNotFound'),
    429: errorRef('HistoryRateLimited'),
    500: errorRef('HistoryServerError'),
    ...EDGE_ERRORS,
  },
})

const getExplanation = (deployment: Deployment): Operation => ({
  operationId: 'getExplanation',
  summary: 'Explain a score',
  description:
    'What each point of a score rests on, and which checks found nothing or lacked their facts. An addition of Inkling: clients of the interface do not need it.',
  tags: [HISTORY_TAG],
  servers: serversOf(deployment, 'history'),
  security: [{ apiKey: [] }],
  parameters: [
    pathParameter('request_id', schemaRef('Uuid'), 'The identification, in either case.', REQUEST_ID),
  ],
  responses: {
    200: described(
      'Why the identification was scored as it was.',
      json('Explanation', { explanation: { summary: 'A visit through a proxy', value: EXPLANATION } }),
    ),
    400: described('The request ID is no UUID.', errorContent(JSON_TYPE, 'request ID must be a UUID')),
    401: errorRef('HistoryUnauthorized'),
    404: orUnmatched(
      'The domain of the key has no such identification.',
      errorContent(JSON_TYPE, 'no such identification'),
    ),
    429: errorRef('HistoryRateLimited'),
    ...EDGE_ERRORS,
  },
})
