import { z } from 'zod'
import type {
  ZodOpenApiOperationObject,
  ZodOpenApiPathsObject,
  ZodOpenApiResponseObject,
  ZodOpenApiResponsesObject,
} from 'zod-openapi'
import { RATE_LIMIT_SCORE } from '../bands.ts'
import { Explanation } from '../explanation.ts'
import { SearchTypeName, Uuid } from '../fields.ts'
import { HistoryPage, type HistoryRow } from '../history-row.ts'
import { NIL_UUID, NO_IPV4 } from '../identifiers.ts'
import { RATE_LIMIT_DESCRIPTION } from '../signals.ts'
import { type Deployment, serversOf } from './deployment.ts'
import { EXPLANATION, REQUEST_ID, ROW } from './example-visit.ts'
import {
  type Examples,
  errorAsTextContent,
  errorContent,
  JSON_TYPE,
  json,
  orUnmatched,
  PROXY_ERRORS,
  parameter,
  RETRY_AFTER,
  ROUTE_NOT_FOUND,
  wrongScope,
} from './responses.ts'

export const HISTORY_TAG = {
  name: 'History',
  description: 'Visits with their scores. By default 15 requests a second for a domain.',
}

export const historyPaths = (deployment: Deployment): ZodOpenApiPathsObject => ({
  '/api/v1/history/{search_type}/{value}': { get: searchHistory(deployment) },
  '/api/v1/explanation/{request_id}': { get: getExplanation(deployment) },
})

/** The first thing to read about a search. */
const UNKNOWN_TYPE_WARNING =
  '**Warning: a misspelled type is no error.** A request with any other `search_type` gets a `200` with the newest rows of the whole domain, unfiltered: the rows of strangers. Code that judges a visitor by the first of them judges somebody else. Take the type from a fixed list, never from input, and compare the identifier in the row with the one that you asked for. The SDK refuses to send an unknown type.'

/** Which identifier to search by, and its value as a path segment. */
export const searchParameters = () => ({
  search_type: parameter(
    SearchTypeName,
    'The identifier to search by. **Warning: with any other text the search is unfiltered** and finds the newest rows of the whole domain, those of strangers.',
    'request_id',
  ),
  value: parameter(
    z.string().min(1),
    [
      'The value to find, as one segment of the path.',
      '- A UUID for `request_id`, `session_id`, `cookie_id`, `device_id` and `visitor_id`. Case does not matter.\n- An IPv4 address for `ip`. The server stores no IPv6 address to search for, and `0.0.0.0` finds nothing.\n- Your pseudonym for `user_hid`, in the case in which the page passed it. Write `A-Z a-z 0-9` and `- . _ ~ $ & + , : ; = @` as they are and each other byte of its UTF-8 form as `%XX`, with capital digits. The server decodes this one form: any other is searched as it stands, so it finds nothing. There is no way to write a slash, and clients resolve `.` and `..` away.',
      'A UUID or IPv4 address of the wrong form is answered with a `500`.',
    ].join('\n\n'),
    REQUEST_ID,
  ),
})

/** Where to begin in what was found, and how much to answer. */
export const PAGING = {
  limit: parameter(
    z.int().min(1).max(100).default(20),
    'Rows on a page. The server reads a decimal integer, with a sign or leading zeros if you like, and uses 20 for a number out of range and for any other text. If the parameter is repeated, it reads the first.',
  ),
  offset: parameter(
    z.int().min(0).default(0),
    'Rows to leave out from the newest on. 0 stands in for anything below 0 and for text.',
  ),
}

const RATE_LIMITED: ZodOpenApiResponseObject = {
  id: 'HistoryRateLimited',
  description:
    'The domain, with all its keys and callers counted together, made more requests in a second than `HISTORY_LIMIT_PER_SECOND` allows (15). Wait as long as `Retry-After` says, which is a second; nothing is blocked.',
  headers: RETRY_AFTER,
  content: errorContent(JSON_TYPE, 'too many requests'),
}

/** Answers of History that an older form shares. */
export const HISTORY_ERRORS = {
  404: ROUTE_NOT_FOUND,
  429: RATE_LIMITED,
  500: {
    id: 'HistoryServerError',
    description:
      'Two cases. A message that says `Cannot convert` or `Cannot parse` means that the value is no UUID or no IPv4 address: the same request fails again, so do not repeat it. The message shows up to 200 characters of the value. Anything else is a temporary error of the server; try again later.',
    content: errorContent(
      JSON_TYPE,
      "code: 53, message: Cannot convert string 'order-1042' to type UUID",
      "code: 6, message: Cannot parse string '192.0.2' as IPv4",
      'internal server error',
    ),
  },
  ...PROXY_ERRORS,
} satisfies ZodOpenApiResponsesObject

const UNAUTHORIZED: ZodOpenApiResponseObject = {
  id: 'HistoryUnauthorized',
  description:
    'No Bearer token was sent, or no domain that is switched on has this key. The body is JSON, though its `Content-Type` says plain text.',
  content: errorAsTextContent('missing or invalid authorization header', 'invalid api key'),
}

const searchHistory = (deployment: Deployment): ZodOpenApiOperationObject => ({
  operationId: 'searchHistory',
  summary: 'Search identifications',
  description: [
    UNKNOWN_TYPE_WARNING,
    'Finds the identifications of a domain and of all hosts below it, each in its newest version. Searching does not use up volume.',
    'A row exists once the server has answered the agent. If your backend asks for a `request_id` before that, the page is empty: ask again after a short pause and let the pause grow, as `verdict` of the SDK does. Late evidence refines a row for `FOLLOW_UP_SECONDS` (10); each refinement raises `ver`.',
    'Rows come newest first, and `total` counts them all. The offset counts from the newest row, so rows that arrive between two requests push earlier ones onto the next page: skip a `request_id` that you have seen.',
  ].join('\n\n'),
  tags: [HISTORY_TAG.name],
  servers: serversOf(deployment, 'history'),
  security: [{ apiKey: [] }],
  requestParams: {
    path: z.object(searchParameters()),
    query: z.object(PAGING),
  },
  responses: {
    200: { description: 'A page of rows.', content: json(HistoryPage, HISTORY_PAGES) },
    401: UNAUTHORIZED,
    403: wrongScope('history:read'),
    ...HISTORY_ERRORS,
  },
})

const getExplanation = (deployment: Deployment): ZodOpenApiOperationObject => ({
  operationId: 'getExplanation',
  summary: 'Explain a score',
  description:
    'The facts behind each entry of a score, the signals that were checked and found nothing, and those that lacked the facts to be checked. With it come the visit’s velocity, the entries of your lists that it matched, labels, and what your backend was told about it.',
  tags: [HISTORY_TAG.name],
  servers: serversOf(deployment, 'history'),
  security: [{ apiKey: [] }],
  requestParams: {
    path: z.object({ request_id: parameter(Uuid, 'The identification to explain.', REQUEST_ID) }),
  },
  responses: {
    200: {
      description: 'The explanation.',
      content: json(Explanation, {
        explanation: { summary: 'A visit through a hosting company', value: EXPLANATION },
      }),
    },
    400: {
      description: 'The request ID is no UUID.',
      content: errorContent(JSON_TYPE, 'request ID must be a UUID'),
    },
    401: UNAUTHORIZED,
    403: wrongScope('history:read'),
    404: orUnmatched(
      'The domain has no identification of this ID.',
      errorContent(JSON_TYPE, 'no such identification'),
    ),
    429: RATE_LIMITED,
    ...PROXY_ERRORS,
  },
})

const {
  site_domain: _siteDomain,
  entry_url: _entry,
  utm_source: _source,
  utm_campaign: _campaign,
  traffic_channel: _channel,
  traffic_channel_group: _group,
  traffic_reason: _reason,
  referrer_domain: _referrer,
  click_id_type: _click,
  ...withoutAttribution
} = ROW

/** What the server stores when an address goes over the ingest limit. */
const MARKER: HistoryRow = {
  ...withoutAttribution,
  request_id: '47789986-1a8c-4d37-b167-66c7c0381668',
  session_id: NIL_UUID,
  cookie_id: NIL_UUID,
  domain: 'brewline.example',
  user_hid: '-1',
  device_id: NIL_UUID,
  visitor_id: NIL_UUID,
  os: 'Unknown',
  browser: 'Unknown',
  device_type: 'desktop',
  country: '',
  connection_type: 'unknown',
  score: RATE_LIMIT_SCORE,
  score_details: JSON.stringify([{ Value: RATE_LIMIT_SCORE, Description: RATE_LIMIT_DESCRIPTION }]),
  ...noAddress('web_rtc'),
  ...noAddress('scanner_web_rtc'),
  ...noAddress('webrtc_leak'),
  webrtc_leak_source: '',
  tcp_mss: 0,
  mtu_value: 0,
  mtu_hint: '',
  is_datacenter: false,
  is_abuser: false,
  is_timezone_mismatch: false,
  stun_request_seen: false,
  is_scanner_stun_passed: false,
  stun_flow_status: '',
}

function noAddress<Prefix extends string>(prefix: Prefix) {
  return {
    [`${prefix}_ip`]: NO_IPV4,
    [`${prefix}_country`]: '',
    [`${prefix}_connection_type`]: '',
  } as Record<`${Prefix}_ip` | `${Prefix}_country` | `${Prefix}_connection_type`, string>
}

const HISTORY_PAGES: Examples = {
  found: { summary: 'One row', value: { data: [ROW], total: 1 } satisfies HistoryPage },
  nothing: {
    summary: 'The visit is unknown, or not scored yet',
    value: { data: [], total: 0 } satisfies HistoryPage,
  },
  rateLimited: {
    summary: 'An address that sent too much',
    value: { data: [MARKER], total: 1 } satisfies HistoryPage,
  },
}
