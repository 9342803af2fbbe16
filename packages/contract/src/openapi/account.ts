import type {
  ZodOpenApiOperationObject,
  ZodOpenApiPathsObject,
  ZodOpenApiResponseObject,
  ZodOpenApiResponsesObject,
} from 'zod-openapi'
import {
  ACCOUNT_EXAMPLES,
  ACCOUNT_OPERATIONS,
  type Access,
  type AccountOperation,
  type AccountOperationName,
  DOMAIN_ROLE_NAMES,
  DOMAIN_ROLES,
} from '../account/index.ts'
import { type Deployment, serversOf } from './deployment.ts'
import { errorContent, JSON_TYPE, json, orUnmatched, PROXY_ERRORS, ROUTE_NOT_FOUND } from './responses.ts'

export const ACCOUNT_TAG = {
  name: 'Account',
  description:
    'The API of the dashboard. What somebody may do in a domain follows from their role there and from that in the installation.',
}

/** The account API, described from the same table that the server mounts. */
export function accountPaths(deployment: Deployment): ZodOpenApiPathsObject {
  const paths: ZodOpenApiPathsObject = {}
  for (const [name, operation] of Object.entries(ACCOUNT_OPERATIONS as Record<string, AccountOperation>))
    paths[operation.path] = {
      ...paths[operation.path],
      [operation.method.toLowerCase()]: describe(name as AccountOperationName, operation, deployment),
    }
  return paths
}

function credentialsOf(access: Access): Record<string, string[]>[] {
  if (access === 'anyone') return []
  return access === 'cookie' ? [{ refreshCookie: [] }] : [{ accessToken: [] }]
}

const PROOF = 'Needs a proof of identity of the last five minutes: a sign-in, or `proveIdentity`.'

/** In words, with the roles of a domain that have the right. */
function accessText({ access, fieldAccess = {}, path }: AccountOperation): string {
  const fields = Object.entries(fieldAccess).map(
    ([field, needed]) =>
      `The field \`${field}\` needs ${needed === 'owner' ? 'an owner of the installation' : `\`${needed}\``}.`,
  )
  return [WHO_MAY[access] ?? rightText(access, path.includes('{domain}')), ...fields].join(' ')
}

const WHO_MAY: Record<string, string> = {
  anyone: '',
  cookie: 'Needs the refresh cookie of a session.',
  user: 'For every signed-in user.',
  owner: 'Open to owners of the installation.',
}

function rightText(right: string, inDomain: boolean): string {
  const roles = DOMAIN_ROLE_NAMES.filter((role) => DOMAIN_ROLES[role].rights.some((own) => own === right))
  return `Needs the right \`${right}\` in ${inDomain ? 'the domain' : 'a domain'}, which these roles have: ${roles.join(', ')}.`
}

function describe(
  name: AccountOperationName,
  operation: AccountOperation,
  deployment: Deployment,
): ZodOpenApiOperationObject {
  const { access, proof, summary, description, params, query, body } = operation
  return {
    operationId: name,
    summary,
    description: [description, accessText(operation), proof && PROOF].filter(Boolean).join('\n\n'),
    tags: [ACCOUNT_TAG.name],
    servers: serversOf(deployment, 'management'),
    security: credentialsOf(access),
    ...((params || query) && { requestParams: { ...(params && { path: params }), ...(query && { query }) } }),
    ...(body && {
      requestBody: { required: true, content: json(body, example(ACCOUNT_EXAMPLES[name].body)) },
    }),
    responses: { ...success(name, operation), ...errorsOf(operation), ...PROXY_ERRORS },
  }
}

const example = (value: unknown) => ({ example: { summary: 'An example', value } })

function success(
  name: AccountOperationName,
  { answer, status }: AccountOperation,
): ZodOpenApiResponsesObject {
  if (answer === 'nothing') return { 204: { description: 'Done.' } }
  if (answer === 'file')
    return {
      200: {
        description: 'The file. The server sends it while it writes it.',
        content: { '*/*': { schema: { type: 'string', format: 'binary' } } },
      },
    }
  const response = { description: 'Done.', content: json(answer, example(ACCOUNT_EXAMPLES[name].answer)) }
  return status === 201 ? { 201: response } : { 200: response }
}

const INVALID: ZodOpenApiResponseObject = {
  id: 'AccountInvalid',
  description: 'The text names a parameter or field that is unknown or does not have the right form.',
  content: errorContent(JSON_TYPE, 'limit: Too big: expected number to be <=200', 'the body is not JSON'),
}

const UNAUTHORIZED: ZodOpenApiResponseObject = {
  id: 'AccountUnauthorized',
  description:
    'There is no valid access token or refresh cookie. An expired token can be renewed once with `refreshSession`; after that, sign in.',
  content: errorContent(
    JSON_TYPE,
    'missing or invalid access token',
    'no refresh cookie',
    'the session has ended',
  ),
}

const FORBIDDEN: ZodOpenApiResponseObject = {
  id: 'AccountForbidden',
  description:
    'The role of the user does not allow this, a proof of identity is too old, or the request comes from a page of another origin.',
  content: errorContent(
    JSON_TYPE,
    'only an owner may do this',
    'your role does not allow this',
    'confirm who you are first',
    'the request comes from another origin',
  ),
}

function errorsOf({
  access,
  proof,
  params,
  query,
  body,
  errors = {},
}: AccountOperation): ZodOpenApiResponsesObject {
  const own = Object.entries(errors).map(([status, text]) => {
    const description = `The text is: ${text}.`
    const content = errorContent(JSON_TYPE, text)
    return [status, status === '404' ? orUnmatched(description, content) : { description, content }] as const
  })
  return {
    ...((params || query || body) && { 400: INVALID }),
    ...(access !== 'anyone' && { 401: UNAUTHORIZED }),
    ...((access !== 'user' || proof) && { 403: FORBIDDEN }),
    404: ROUTE_NOT_FOUND,
    ...Object.fromEntries(own),
  }
}
