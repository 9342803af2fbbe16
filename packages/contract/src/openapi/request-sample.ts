import type { oas32 } from 'zod-openapi'

type Parameter = oas32.ParameterObject

/** What a sample is made from. */
interface Operation {
  servers?: oas32.ServerObject[]
  parameters?: Parameter[]
  requestBody?: { content: object }
  security: Record<string, string[]>[]
}

/** What stands in for a credential in a sample. */
const BEARER_VARIABLES: Record<string, string> = {
  apiKey: 'API_KEY',
  secretKey: 'SECRET_KEY',
  accessToken: 'ACCESS_TOKEN',
}

const sampleOf = ({ name, example }: Parameter): string =>
  example === undefined ? `$${variableOf(name)}` : String(example)

const variableOf = (name: string): string => name.replace(/([a-z])([A-Z])/g, '$1_$2').toUpperCase()

/** A `curl` command that calls an operation with its example values, and shell variables for the rest. */
export function requestSample(path: string, method: string, operation: Operation): string {
  const { servers = [], parameters = [], requestBody, security } = operation
  const placed = (place: Parameter['in']) => parameters.filter((parameter) => parameter.in === place)
  const filled = placed('path').reduce(
    (url, parameter) => url.replace(`{${parameter.name}}`, sampleOf(parameter)),
    path,
  )
  const query = placed('query')
    .filter(({ required, name }) => required || name === 'publicKey')
    .map((parameter) => `${parameter.name}=${sampleOf(parameter)}`)
  const bearer = Object.keys(security[0] ?? {}).flatMap((scheme) => BEARER_VARIABLES[scheme] ?? [])
  const [type] = Object.keys(requestBody?.content ?? {})
  return [
    `curl ${method === 'get' ? '' : `-X ${method.toUpperCase()} `}"${servers[0]?.url ?? ''}${filled}${query.length > 0 ? `?${query.join('&')}` : ''}"`,
    ...bearer.map((variable) => `-H "Authorization: Bearer $${variable}"`),
    ...placed('header').map((parameter) => `-H "${parameter.name}: ${sampleOf(parameter)}"`),
    ...(type === undefined ? [] : [`-H "Content-Type: ${type}"`, '--data-binary @body']),
  ].join(' \\\n  ')
}
