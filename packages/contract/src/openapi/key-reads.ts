import type { ZodOpenApiOperationObject, ZodOpenApiPathsObject } from 'zod-openapi'
import {
  ACCOUNT_EXAMPLES,
  ACCOUNT_OPERATIONS,
  type AccountOperation,
  KEY_READ_NAMES,
  type KeyReadName,
  keyRead,
} from '../account/index.ts'
import { type Deployment, serversOf } from './deployment.ts'
import { HISTORY_ERRORS, HISTORY_TAG } from './history.ts'
import { errorContent, JSON_TYPE, json, orUnmatched, PROXY_ERRORS, wrongScope } from './responses.ts'

/** What a named key reads of the account API, described from the table that the server mounts. */
export const keyReadPaths = (deployment: Deployment): ZodOpenApiPathsObject =>
  Object.fromEntries(KEY_READ_NAMES.map((name) => [keyRead(name).path, { get: describe(name, deployment) }]))

/** As the account API has the same operation under its own name. */
const operationId = (name: KeyReadName): string => `${name}WithKey`

function describe(name: KeyReadName, deployment: Deployment): ZodOpenApiOperationObject {
  const operation: AccountOperation = ACCOUNT_OPERATIONS[name]
  const { scope, query = operation.query } = keyRead(name)
  const params = operation.params?.omit({ domain: true })
  const hasParams = params !== undefined && Object.keys(params.shape).length > 0
  const missing = operation.errors?.[404]
  const { answer } = operation
  if (typeof answer === 'string') throw new Error(`${name} has no body`)
  return {
    operationId: operationId(name),
    summary: operation.summary,
    description: [
      operation.description,
      `For named keys with the scope \`${scope}\`; the domain is that of the key. The same as \`${name}\` of the account API. It counts against the limit of History.`,
    ]
      .filter(Boolean)
      .join('\n\n'),
    tags: [HISTORY_TAG.name],
    servers: serversOf(deployment, 'history'),
    security: [{ apiKey: [] }],
    ...((hasParams || query) && {
      requestParams: { ...(hasParams && { path: params }), ...(query && { query }) },
    }),
    responses: {
      200: {
        description: 'Done.',
        content: json(answer, {
          example: { summary: 'An example', value: ACCOUNT_EXAMPLES[name].answer },
        }),
      },
      400: {
        description: 'The text names a parameter that is unknown or does not have the right form.',
        content: errorContent(JSON_TYPE, 'limit: Too big: expected number to be <=200'),
      },
      401: {
        description: 'No Bearer token was sent, or no domain that is switched on has this key.',
        content: errorContent(JSON_TYPE, 'invalid api key'),
      },
      403: wrongScope(scope),
      404:
        hasParams && missing !== undefined
          ? orUnmatched(`The text is: ${missing}.`, errorContent(JSON_TYPE, missing))
          : HISTORY_ERRORS[404],
      429: HISTORY_ERRORS[429],
      ...PROXY_ERRORS,
    },
  }
}
