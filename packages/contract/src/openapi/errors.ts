import { schemaRef } from './components.ts'
import {
  content,
  described,
  errorContent,
  exampleName,
  JSON_TYPE,
  JSON_UTF8_TYPE,
  TEXT_TYPE,
} from './content.ts'
import type { Content, Reference, Response } from './document.ts'

const HTML_TYPE = 'text/html'

const proxyPage = (title: string): string =>
  `<html>\n<head><title>${title}</title></head>\n<body>\n<center><h1>${title}</h1></center>\n</body>\n</html>\n`

const edge = (title: string): Response =>
  described(
    'From a proxy in front of the service, never from the service itself. Retry with backoff.',
    content(HTML_TYPE, { type: 'string' }, { page: { summary: title, value: proxyPage(title) } }),
  )

/** JSON text that is sent as plain text, with a newline at its end. */
export const errorAsTextContent = (...errors: string[]): Content =>
  content(
    TEXT_TYPE,
    { type: 'string', contentMediaType: JSON_TYPE, contentSchema: schemaRef('ErrorBody') },
    Object.fromEntries(
      errors.map((error) => [
        exampleName(error),
        { summary: error, value: `${JSON.stringify({ error })}\n` },
      ]),
    ),
  )

/** Every error that more than one operation shares, by the name it has under `components.responses`. */
export const SHARED_ERRORS = {
  RouteNotFound: described(
    'No route matches: another path or method, an empty value, or a value with a `/` or `%2F` in it. The same text for every surface.',
    content(
      TEXT_TYPE,
      { type: 'string', const: '404 page not found' },
      { unmatched: { summary: 'No newline at its end', value: '404 page not found' } },
    ),
  ),
  BadGateway: edge('502 Bad Gateway'),
  GatewayTimeout: edge('504 Gateway Time-out'),
  HistoryUnauthorized: described(
    'The Private API Key is missing or wrong. JSON text that is sent as plain text: parse it regardless of its content type. Do not retry.',
    errorAsTextContent('missing or invalid authorization header', 'invalid api key'),
  ),
  HistoryRateLimited: described(
    'More than 15 requests in a second for the domain, by all its callers together. Nobody is banned: retry after about one second.',
    errorContent(JSON_TYPE, 'too many requests'),
  ),
  HistoryServerError: described(
    'A value that is no UUID or IPv4 address: do not retry that. Anything else is a server error: retry with backoff. The value in the text is cut at 200 characters.',
    errorContent(
      JSON_TYPE,
      "code: 53, message: Cannot convert string 'abc' to type UUID",
      "code: 6, message: Cannot parse string 'x' as IPv4",
      'internal server error',
    ),
  ),
  ManagementUnauthorized: {
    description:
      'A header or path credential is missing or malformed, the domain is unknown or disabled, or the Secret Key is wrong. The body is empty and there is no Content-Type. Do not retry.',
  },
  ManagementRateLimited: described(
    'The request over 15 per minute from one client IP starts a block of ten minutes, in which every request gets this answer. Never retry it.',
    errorContent(JSON_UTF8_TYPE, 'too many requests'),
  ),
  ServerBusy: described(
    'Too many requests are in flight. Retry with backoff.',
    errorContent(JSON_UTF8_TYPE, 'server is busy'),
  ),
  IngestUnauthorized: described(
    'The Public Key is unknown, or the page that sent the request is not on its domain. No row is left.',
    errorContent(JSON_TYPE, 'unknown public key', 'the page does not belong to the domain of the public key'),
  ),
  IngestBusy: described(
    'More is under way than can be done, or the database cannot be used now. Nothing was stored: send the same again after a pause, as the agent does.',
    errorContent(JSON_TYPE, 'server is busy'),
  ),
  AccountInvalid: described(
    'A parameter or a field of the body is wrong or unknown; the text names it. Nothing was changed.',
    errorContent(JSON_TYPE, 'limit: Too big: expected number to be <=200', 'the body is not JSON'),
  ),
  AccountUnauthorized: described(
    'The access token or the refresh cookie is missing, wrong, expired or of a login that has ended. Refresh once, then sign in again.',
    errorContent(JSON_TYPE, 'missing or invalid access token', 'no refresh cookie', 'the session has ended'),
  ),
  AccountForbidden: described(
    'The login has not the role, or a page of another origin asks.',
    errorContent(JSON_TYPE, 'only an owner may do this', 'the request comes from another origin'),
  ),
} as const satisfies Record<string, Response>

/** A `404` of a route's own, next to the plain text of a path that no route matches. */
export const orUnmatched = (description: string, content: Content): Response =>
  described(`${description} A path that no route matches gets the plain text instead.`, {
    ...content,
    ...SHARED_ERRORS.RouteNotFound.content,
  })

export type SharedError = keyof typeof SHARED_ERRORS

export const errorRef = (name: SharedError): Reference => ({ $ref: `#/components/responses/${name}` })

/** What a proxy in front of any surface may answer. */
export const EDGE_ERRORS = { 502: errorRef('BadGateway'), 504: errorRef('GatewayTimeout') }
