import { z } from 'zod'
import type { ZodOpenApiContentObject, ZodOpenApiResponseObject } from 'zod-openapi'
import { ErrorBody } from '../answers.ts'
import type { ApiKeyScope } from '../api-key-scopes.ts'

export const JSON_TYPE = 'application/json'
export const JSON_UTF8_TYPE = 'application/json; charset=utf-8'
const TEXT_TYPE = 'text/plain; charset=utf-8'

export type Examples = Record<string, { summary: string; value: unknown }>

/** A JSON body with its examples. */
export const json = (schema: z.ZodType, examples: Examples, type: string = JSON_TYPE) => ({
  [type]: { schema, examples },
})

/** A parameter: what it takes, what it means, and a value as it is sent. */
export const parameter = <Schema extends z.ZodType>(schema: Schema, description: string, example?: unknown) =>
  schema.meta({ param: { description, ...(example !== undefined && { example }) } })

/** `{"error": …}`, one example per text. */
export const errorContent = (type: string, ...texts: string[]): ZodOpenApiContentObject =>
  json(ErrorBody, Object.fromEntries(texts.map((error) => [exampleName(error), errorExample(error)])), type)

const errorExample = (error: string) => ({ summary: error, value: { error } })

/** The same, labelled as plain text and with a newline at its end. */
export const errorAsTextContent = (...texts: string[]): ZodOpenApiContentObject => ({
  [TEXT_TYPE]: {
    schema: {
      type: 'string',
      contentMediaType: JSON_TYPE,
      contentSchema: { $ref: '#/components/schemas/ErrorBody' },
    },
    examples: Object.fromEntries(
      texts.map((error) => [exampleName(error), { summary: error, value: `${JSON.stringify({ error })}\n` }]),
    ),
  },
})

/** A text as a key that tools accept: its words in camel case. */
const exampleName = (text: string): string =>
  text
    .replace(/[^A-Za-z0-9]+(.)?/g, (_, next: string | undefined) => next?.toUpperCase() ?? '')
    .slice(0, 40)
    .replace(/^./, (first) => first.toLowerCase())

/** The header of a 429. */
export const RETRY_AFTER = z.object({
  'Retry-After': z.int().min(1).meta({
    description: 'Seconds until requests are accepted again.',
    example: 1,
  }),
})

/** The 403 of an API key that is for something else. */
export const wrongScope = (scope: ApiKeyScope): ZodOpenApiResponseObject => ({
  description: `The key has no scope \`${scope}\`.`,
  content: errorContent(JSON_TYPE, `this key has no scope ${scope}`),
})

const proxyPage = (title: string): string =>
  `<html>\n<head><title>${title}</title></head>\n<body>\n<center><h1>${title}</h1></center>\n</body>\n</html>\n`

const fromProxy = (id: string, title: string): ZodOpenApiResponseObject => ({
  id,
  description:
    'A reverse proxy could not reach the server in time. The body is the proxy’s own page. Try again after a growing pause.',
  content: {
    'text/html': { schema: z.string(), examples: { page: { summary: title, value: proxyPage(title) } } },
  },
})

/** What a reverse proxy may answer in place of any surface. */
export const PROXY_ERRORS = {
  502: fromProxy('BadGateway', '502 Bad Gateway'),
  504: fromProxy('GatewayTimeout', '504 Gateway Time-out'),
}

/** The `404` of every surface. */
export const ROUTE_NOT_FOUND = {
  id: 'RouteNotFound',
  description:
    'The server has no such path, or not for this method. An empty value and one that contains a slash (`/` or `%2F`) end here, too.',
  content: {
    [TEXT_TYPE]: {
      schema: z.literal('404 page not found'),
      examples: { unmatched: { summary: 'No newline at its end', value: '404 page not found' } },
    },
  },
} satisfies ZodOpenApiResponseObject

/** A `404` of an operation's own. */
export const orUnmatched = (
  description: string,
  content: ZodOpenApiContentObject,
): ZodOpenApiResponseObject => ({
  description: `${description} An unknown path gets the plain text.`,
  content: { ...content, ...ROUTE_NOT_FOUND.content },
})
