import type { Method, Operation, Parameter } from '@inkling/contract/openapi'

/** Shell variables that stand for a credential in a sample. */
const BEARER_VARIABLES: Record<string, string> = {
  apiKey: 'API_KEY',
  secretKey: 'SECRET_KEY',
  accessToken: 'ACCESS_TOKEN',
}

const sampleValue = ({ name, example }: Parameter): string => String(example ?? name.toUpperCase())

/** A `curl` line that calls an operation with its example values. */
export function curlSample(path: string, method: Method, operation: Operation): string {
  const { parameters = [], servers = [], requestBody, security } = operation
  const inPlace = (place: Parameter['in']) => parameters.filter((parameter) => parameter.in === place)
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const parameter = parameters.find((other) => other.in === 'path' && other.name === name)
    return parameter ? sampleValue(parameter) : name
  })
  const query = inPlace('query')
    .filter(({ required, name }) => required || name === 'publicKey')
    .map((parameter) => `${parameter.name}=$${snakeUpper(parameter.name)}`)
  const url = `${servers[0]?.url ?? ''}${filled}${query.length > 0 ? `?${query.join('&')}` : ''}`
  const bearer = Object.keys(security[0] ?? {}).flatMap((scheme) => BEARER_VARIABLES[scheme] ?? [])
  const [bodyType] = Object.keys(requestBody?.content ?? {})
  return [
    `curl ${method === 'get' ? '' : `-X ${method.toUpperCase()} `}"${url}"`,
    ...bearer.map((variable) => `-H "Authorization: Bearer $${variable}"`),
    ...inPlace('header').map((parameter) => `-H "${parameter.name}: ${sampleValue(parameter)}"`),
    ...(bodyType === undefined ? [] : [`-H "Content-Type: ${bodyType}"`, '--data-binary @body']),
  ].join(' \\\n  ')
}

/** The head of a webhook request, as the receiver sees it. */
export function webhookSample(operation: Operation): string {
  const [type = ''] = Object.keys(operation.requestBody?.content ?? {})
  const headers = (operation.parameters ?? []).filter(({ example }) => example !== undefined)
  return [
    'POST /your/endpoint HTTP/1.1',
    `Content-Type: ${type}`,
    ...headers.map((parameter) => `${parameter.name}: ${sampleValue(parameter)}`),
  ].join('\n')
}

const snakeUpper = (name: string): string => name.replace(/([A-Z])/g, '_$1').toUpperCase()
