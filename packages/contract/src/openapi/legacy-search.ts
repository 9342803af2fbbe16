import { content, described, JSON_UTF8_TYPE, jsonArray, pathParameter, queryParameter } from './content.ts'
import type { Content, JsonSchema, Parameter } from './document.ts'
import { orUnmatched } from './errors.ts'
import { REQUEST_ID } from './examples/identification.ts'
import { SNAPSHOTS } from './examples/management-bodies.ts'
import { searchTypeParameter } from './history.ts'

const TEXT: JsonSchema = { type: 'string' }

/** A bare JSON string, or `null`, one example each. */
export const bareJson = (examples: Record<string, string | null>): Content =>
  content(
    JSON_UTF8_TYPE,
    Object.values(examples).includes(null) ? { anyOf: [TEXT, { type: 'null' }] } : TEXT,
    Object.fromEntries(
      Object.entries(examples).map(([name, value]) => [name, { summary: JSON.stringify(value), value }]),
    ),
  )

/** How the snapshots of one host are searched; unlike History, type and value are checked. */
export const legacySearchParameters = (): Parameter[] => [
  searchTypeParameter('type', 'Identifier to search by. Any other text is a `404` with a bare JSON string.'),
  pathParameter(
    'value',
    { type: 'string', minLength: 1 },
    'A UUID of any version for the UUID types, an IP address for `ip` (an IPv6 address is valid, then fails with a `400` and `null`), free text for `user_hid`, escaped as `searchHistory` says.',
    REQUEST_ID,
  ),
  queryParameter(
    'limit',
    { type: 'integer', minimum: 1, maximum: 100, default: 100 },
    'Rows to answer with. Anything else becomes 100. There is no offset.',
  ),
]

const INVALID_VALUE = described(
  'The value is not valid (a bare JSON string), or the query failed (`null`). Do not retry.',
  bareJson({
    malformedUuid: 'fail parse uuid',
    malformedAddress: 'invalid IP address',
    blankValue: 'value cannot be empty',
    queryFailed: null,
  }),
)

const UNSUPPORTED_TYPE = orUnmatched(
  'The type is not supported: a bare JSON string.',
  bareJson({ unsupportedType: 'email is not supported' }),
)

/** Answers of a search for snapshots. */
export const LEGACY_SEARCH_RESPONSES = {
  200: described('Snapshots, as a bare array.', jsonArray('LegacySnapshot', SNAPSHOTS, JSON_UTF8_TYPE)),
  400: INVALID_VALUE,
  404: UNSUPPORTED_TYPE,
}
