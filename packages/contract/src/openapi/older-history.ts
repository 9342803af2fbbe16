import { z } from 'zod'
import type { ZodOpenApiOperationObject, ZodOpenApiPathsObject } from 'zod-openapi'
import { Uuid } from '../fields.ts'
import type { ScoreDetail } from '../history-row.ts'
import { PUBLIC_KEY_PATTERN } from '../identifiers.ts'
import { LegacySnapshot, OlderHistoryPage, OlderHistoryRow } from '../older-shapes.ts'
import { type Deployment, serversOf } from './deployment.ts'
import { REQUEST_ID, ROW } from './example-visit.ts'
import { HISTORY_ERRORS, PAGING, searchParameters } from './history.ts'
import { errorAsTextContent, errorContent, JSON_TYPE, json, orUnmatched, parameter } from './responses.ts'

export const OLDER_TAG = {
  name: 'Older forms',
  description: 'Routes with credentials in their paths, for clients that were written for them.',
}

/** Begins a description that ends with the operation to use instead. */
export const OLDER =
  'For older clients: proxies and logs on the way see the credentials, which are part of the path. New code calls'

/** A Public or Secret Key as part of a path; both have the same form. */
export const keyParameter = (description: string) =>
  parameter(z.string().regex(PUBLIC_KEY_PATTERN), description)

const KEYS = {
  public_key: keyParameter('Public Key of the domain.'),
  secret_key: keyParameter('Secret Key of the domain.'),
}

const SEARCH = searchParameters()

const NOTHING_FOUND = orUnmatched('Nothing was found.', errorContent(JSON_TYPE, 'no sessions found'))

const DETAILS = JSON.parse(ROW.score_details) as ScoreDetail[]

const OLDER_ROW: OlderHistoryRow = {
  request_id: ROW.request_id,
  device_id: ROW.device_id,
  visitor_id: ROW.visitor_id,
  user_hid: ROW.user_hid,
  ip: ROW.ip,
  os: ROW.os,
  country: ROW.country,
  score: ROW.score,
  details: DETAILS,
  created_at: ROW.created_at,
}

export const SNAPSHOT: LegacySnapshot = {
  RequestID: ROW.request_id,
  SessionID: ROW.session_id,
  CookieID: ROW.cookie_id,
  DeviceID: ROW.device_id,
  VisitorID: ROW.visitor_id,
  IP: ROW.ip,
  OS: ROW.os,
  Browser: ROW.browser,
  DeviceType: ROW.device_type,
  Country: ROW.country,
  UserHID: ROW.user_hid,
  ConnectionType: ROW.connection_type,
  WebRtcConnectionType: ROW.web_rtc_connection_type,
  WebRtcCountry: ROW.web_rtc_country,
  WebRtcHIP: ROW.web_rtc_ip,
  TcpMss: ROW.tcp_mss,
  MtuValue: ROW.mtu_value,
  MtuHint: ROW.mtu_hint,
  Score: ROW.score,
  Details: DETAILS,
  LastRequestTime: '2026-10-08T14:21:37.205Z',
}

/** The History API with both keys in the path. */
export function olderHistoryPaths(deployment: Deployment): ZodOpenApiPathsObject {
  const operation = ({ responses, ...rest }: ZodOpenApiOperationObject): ZodOpenApiOperationObject => ({
    ...rest,
    tags: [OLDER_TAG.name],
    servers: serversOf(deployment, 'history'),
    security: [],
    responses: {
      401: {
        description: 'The two keys do not belong to one domain. JSON under the name of plain text.',
        content: errorAsTextContent('invalid public key or secret key'),
      },
      ...HISTORY_ERRORS,
      ...responses,
    },
  })
  return {
    '/pub/{public_key}/{secret_key}/history/{search_type}/{value}': {
      get: operation({
        operationId: 'olderSearchHistory',
        summary: 'Search identifications',
        description: `${OLDER} \`searchHistory\`. A search that finds nothing gets an empty page.`,
        requestParams: { path: z.object({ ...KEYS, ...SEARCH }), query: z.object(PAGING) },
        responses: {
          200: {
            description: 'A page of short rows.',
            content: json(OlderHistoryPage, {
              found: {
                summary: 'One identification',
                value: { total: 1, data: [OLDER_ROW] } satisfies OlderHistoryPage,
              },
              nothing: {
                summary: 'Nothing found',
                value: { total: 0, data: [] } satisfies OlderHistoryPage,
              },
            }),
          },
        },
      }),
    },
    '/pub/{public_key}/{secret_key}/debug/{search_type}/{value}': {
      get: operation({
        operationId: 'olderDebugHistory',
        summary: 'Get the newest snapshots',
        description: `${OLDER} \`searchHistory\`. It answers up to 20 snapshots, newest first.`,
        requestParams: {
          path: z.object({ ...KEYS, ...SEARCH }),
          query: z.object({
            limit: parameter(
              z.int().min(1).max(20).default(20),
              'How many to answer with. The server uses 20 for anything else.',
            ),
          }),
        },
        responses: {
          200: {
            description: 'An array of snapshots.',
            content: json(z.array(LegacySnapshot), {
              found: { summary: 'One identification', value: [SNAPSHOT] },
            }),
          },
          404: NOTHING_FOUND,
        },
      }),
    },
    '/pub/{public_key}/{secret_key}/request/{request_id}': {
      get: operation({
        operationId: 'olderGetRequest',
        summary: 'Get one identification',
        description: `${OLDER} \`searchHistory\` with \`request_id\`.`,
        requestParams: {
          path: z.object({ ...KEYS, request_id: parameter(Uuid, 'The identification.', REQUEST_ID) }),
        },
        responses: {
          200: {
            description: 'The identification.',
            content: json(OlderHistoryRow, { found: { summary: 'A short row', value: OLDER_ROW } }),
          },
          404: NOTHING_FOUND,
        },
      }),
    },
  }
}
