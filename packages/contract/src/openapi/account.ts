import { z } from 'zod'
import {
  ACCOUNT_OPERATIONS,
  type Access,
  type AccountOperation,
  type AccountOperationName,
} from '../account/index.ts'
import { COMPONENTS, type ComponentName, tidy } from './components.ts'
import { content, described, errorContent, JSON_TYPE, json } from './content.ts'
import type { JsonSchema, Method, Operation, Parameter, Reference, Response } from './document.ts'
import { EDGE_ERRORS, errorRef, orUnmatched } from './errors.ts'
import { ACCOUNT_EXAMPLES } from './examples/account.ts'
import { type Deployment, type Paths, serversOf } from './surface.ts'

export const ACCOUNT_TAG = 'Account'

/** The account API as its table declares it. */
export function accountPaths(deployment: Deployment): Paths {
  const paths: Paths = {}
  for (const [name, operation] of Object.entries(ACCOUNT_OPERATIONS as Record<string, AccountOperation>)) {
    const method = operation.method.toLowerCase() as Method
    const item = { ...paths[operation.path] }
    item[method] = describe(name as AccountOperationName, operation, deployment)
    paths[operation.path] = item
  }
  return paths
}

const CREDENTIALS: Record<Access, Operation['security']> = {
  anyone: [],
  cookie: [{ refreshCookie: [] }],
  analyst: [{ accessToken: [] }],
  owner: [{ accessToken: [] }],
}

const ROLES: Record<Access, string> = {
  anyone: '',
  cookie: 'Asks for the refresh cookie of a login.',
  analyst: 'Asks for a login of any role.',
  owner: 'Asks for the login of an owner.',
}

function describe(
  name: AccountOperationName,
  operation: AccountOperation,
  deployment: Deployment,
): Operation {
  const { access, summary, description, body } = operation
  const parameters = [...parametersIn('path', operation.params), ...parametersIn('query', operation.query)]
  return {
    operationId: name,
    summary,
    description: [description, ROLES[access]].filter(Boolean).join('\n\n'),
    tags: [ACCOUNT_TAG],
    servers: serversOf(deployment, 'management'),
    security: CREDENTIALS[access],
    ...(parameters.length > 0 && { parameters }),
    ...(body && {
      requestBody: { required: true, content: json(nameOf(body), example(ACCOUNT_EXAMPLES[name].body)) },
    }),
    responses: {
      [successStatus(operation)]: success(name, operation),
      ...refusals(operation),
      ...EDGE_ERRORS,
    },
  }
}

function parametersIn(place: 'path' | 'query', shape: z.ZodObject | undefined): Parameter[] {
  const { properties = {}, required = [] } = shape ? schemaOf(shape) : {}
  return Object.entries(properties as Record<string, JsonSchema>).map(
    ([name, { description, ...schema }]) => ({
      name,
      in: place,
      required: place === 'path' || required.includes(name),
      description: description ?? '',
      schema,
    }),
  )
}

/** As it is sent, before defaults and numbers are read into it. */
const schemaOf = (shape: z.ZodObject): JsonSchema =>
  z.toJSONSchema(shape, { io: 'input', override: ({ jsonSchema }) => tidy(jsonSchema) })

function nameOf(schema: z.ZodType): ComponentName {
  const found = Object.entries(COMPONENTS).find(([, known]) => known === schema)
  if (!found) throw new Error('a schema of the account API has no name')
  return found[0] as ComponentName
}

const example = (value: unknown) => ({ example: { summary: 'An example', value } })

const successStatus = ({ answer, status }: AccountOperation): number =>
  answer === 'nothing' ? 204 : (status ?? 200)

function success(name: AccountOperationName, { answer }: AccountOperation): Response {
  if (answer === 'nothing') return { description: 'Done.' }
  if (answer === 'file')
    return described(
      'The file, written while it is sent.',
      content('*/*', { type: 'string', format: 'binary' }),
    )
  return described('Done.', json(nameOf(answer), example(ACCOUNT_EXAMPLES[name].answer)))
}

function refusals({ access, params, query, body, refusals = {} }: AccountOperation) {
  const responses: Record<number, Response | Reference> = {}
  if (params || query || body) responses[400] = errorRef('AccountInvalid')
  if (access !== 'anyone') responses[401] = errorRef('AccountUnauthorized')
  if (access !== 'analyst') responses[403] = errorRef('AccountForbidden')
  responses[404] = errorRef('RouteNotFound')
  for (const [status, text] of Object.entries(refusals)) {
    const body = errorContent(JSON_TYPE, text)
    responses[Number(status)] =
      status === '404' ? orUnmatched(`Says: ${text}.`, body) : described(`Says: ${text}.`, body)
  }
  return responses
}
