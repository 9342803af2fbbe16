import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import type { oas32 } from 'zod-openapi'
import { ACCOUNT_OPERATIONS } from '../account/index.ts'
import { DETECTION_FLAGS } from '../detection-flags.ts'
import { READINGS } from '../ingest-body.ts'
import { type OpenApiDocument, type Operation, openApi, type Response } from './open-api.ts'
import { COMPONENTS, type JsonSchema } from './schemas.ts'

interface MediaType {
  schema: JsonSchema
  examples?: Record<string, oas32.ExampleObject>
}

const LOCAL = 'http://localhost:8080'
const HOSTS = {
  history: 'https://history.example.net',
  management: 'https://management.example.net',
  ingest: 'https://ingest.example.net',
  agent: 'https://agent.example.net',
}

const DOCUMENT = openApi({
  version: '1.2.3',
  serviceName: 'Svc',
  urls: { history: LOCAL, management: LOCAL, ingest: LOCAL, agent: LOCAL },
})

const operationsIn = (items: OpenApiDocument['paths']): [name: string, operation: Operation][] =>
  Object.entries(items).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]): [string, Operation] => [`${method} ${path}`, operation]),
  )
const OPERATIONS = [...operationsIn(DOCUMENT.paths), ...operationsIn(DOCUMENT.webhooks)]
const operation = (id: string): Operation => {
  const found = OPERATIONS.find(([, { operationId }]) => operationId === id)
  if (!found) throw new Error(`no operation ${id}`)
  return found[1]
}

/** Every object inside a value, itself included. */
function* objectsIn(value: unknown): Generator<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null) return
  if (!Array.isArray(value)) yield value as Record<string, unknown>
  for (const inner of Object.values(value)) yield* objectsIn(inner)
}

function resolve(ref: string): unknown {
  return ref
    .slice(2)
    .split('/')
    .reduce<unknown>((value, key) => (value as Record<string, unknown> | undefined)?.[key], DOCUMENT)
}

function responseOf({ responses }: Operation, status: number): Response {
  const response = responses[status]
  if (!response) throw new Error(`no response ${status}`)
  return '$ref' in response ? (resolve(response.$ref) as Response) : response
}

/** A validator for a schema of the document, with its references. */
function validatorOf(schema: JsonSchema): z.ZodType {
  const text = JSON.stringify({ ...schema, $defs: DOCUMENT.components.schemas })
  return z.fromJSONSchema(JSON.parse(text.replaceAll('#/components/schemas/', '#/$defs/')))
}

const bodiesOf = (type: string, response: Response): unknown[] =>
  Object.values(response.content?.[type]?.examples ?? {}).map(({ value }) => value)

describe('OpenAPI document', () => {
  test('describes every route of the specification', () => {
    const specified = operationsIn(DOCUMENT.paths).filter(([, { tags }]) => !tags.includes('Account'))
    expect(specified.map(([name]) => name)).toEqual([
      'get /api/v1/history/{search_type}/{value}',
      'get /api/v1/explanation/{request_id}',
      'post /api/v1/assess',
      'post /api/v1/decide',
      'post /api/v1/labels',
      'get /api/v1/patterns',
      'get /api/v1/patterns/{finding_id}',
      'get /api/v1/entity',
      'get /api/v1/device-changes',
      'get /api/v1/device-comparison',
      'get /api/v1/lists',
      'get /api/v1/cases',
      'get /api/v1/cases/{case_id}',
      'get /v1/profile',
      'get /v1/history/{type}/{value}',
      'post /snapshot/{request_id}',
      'get /ticket/{request_id}',
      'get /noscript',
      'get /agent.js',
      'get /snippet.js',
      'get /health',
      'get /pub/{public_key}/{secret_key}/history/{search_type}/{value}',
      'get /pub/{public_key}/{secret_key}/debug/{search_type}/{value}',
      'get /pub/{public_key}/{secret_key}/request/{request_id}',
      'get /{domain}:{secret}/profile',
      'post /{domain}:{secret}/callback',
      'get /{domain}:{secret}/history/{type}/{value}',
    ])
    expect(Object.keys(DOCUMENT.webhooks)).toEqual([
      'identification.scored',
      'pattern.changed',
      'decision.changed',
      'device.merged',
      'device.split',
      'webhook.ping',
    ])
  })

  test('describes every route of the account API', () => {
    const account = operationsIn(DOCUMENT.paths).filter(([, { tags }]) => tags.includes('Account'))
    expect(account.map(([name]) => name).sort()).toEqual(
      Object.values(ACCOUNT_OPERATIONS)
        .map(({ method, path }) => `${method.toLowerCase()} ${path}`)
        .sort(),
    )
  })

  test('every reference resolves', () => {
    const refs = [...objectsIn(DOCUMENT)].flatMap(({ $ref }) => (typeof $ref === 'string' ? [$ref] : []))
    expect(refs.length).toBeGreaterThan(100)
    expect(refs.filter((ref) => resolve(ref) === undefined)).toEqual([])
  })

  test('every component is used', () => {
    const text = JSON.stringify(DOCUMENT)
    for (const kind of ['schemas', 'responses', 'headers'] as const) {
      const unused = Object.keys(DOCUMENT.components[kind]).filter(
        (name) => !text.includes(`"#/components/${kind}/${name}"`),
      )
      expect(unused).toEqual([])
    }
  })

  test('operation IDs are unique, tags and credentials declared', () => {
    const ids = OPERATIONS.map(([, { operationId }]) => operationId)
    expect(new Set(ids).size).toBe(ids.length)
    const tags = DOCUMENT.tags.map(({ name }) => name)
    expect(new Set(OPERATIONS.flatMap(([, { tags }]) => tags))).toEqual(new Set(tags))
    const schemes = OPERATIONS.flatMap(([, { security }]) => security.flatMap((entry) => Object.keys(entry)))
    expect(new Set(schemes)).toEqual(new Set(Object.keys(DOCUMENT.components.securitySchemes)))
  })

  test.each(OPERATIONS)(
    '%s: success, errors, and every path parameter',
    (name, { parameters, responses }) => {
      const statuses = Object.keys(responses)
      expect(statuses.some((status) => status.startsWith('2'))).toBe(true)
      expect(statuses.some((status) => /^[45]|^default$/.test(status))).toBe(true)
      const inPath = [...name.matchAll(/\{(\w+)\}/g)].map(([, parameter]) => parameter)
      const described =
        parameters?.filter((parameter) => parameter.in === 'path').map(({ name }) => name) ?? []
      expect(described).toEqual(inPath)
    },
  )

  test('every JSON and text body has an example, and each example validates', () => {
    const bodies = [...objectsIn(DOCUMENT)].flatMap(({ content }) =>
      Object.entries((content ?? {}) as Record<string, MediaType>),
    )
    expect(bodies.length).toBeGreaterThan(25)
    for (const [type, { schema, examples }] of bodies) {
      if (schema.format === 'binary') continue
      const values = Object.values(examples ?? {})
      expect(values.length, type).toBeGreaterThan(0)
      for (const { value } of values) expect(() => validatorOf(schema).parse(value)).not.toThrow()
    }
  })

  test('every example of a parameter or header validates', () => {
    const examples = [...objectsIn(DOCUMENT)].filter((object) => 'example' in object && 'schema' in object)
    expect(examples.length).toBeGreaterThan(10)
    for (const { schema, example } of examples)
      expect(() => validatorOf(schema as JsonSchema).parse(example)).not.toThrow()
  })

  test('a validator made from the document rejects what zod rejects', () => {
    const row = (
      bodiesOf('application/json', responseOf(operation('searchHistory'), 200))[0] as { data: object[] }
    ).data[0]
    const schema = DOCUMENT.components.schemas.HistoryRow ?? {}
    expect(validatorOf(schema).safeParse(row).success).toBe(true)
    expect(validatorOf(schema).safeParse({ ...row, score: '30' }).success).toBe(false)
    expect(validatorOf(schema).safeParse({ ...row, request_id: 'abc' }).success).toBe(false)
    expect(validatorOf(schema).safeParse({ ...row, later_release: 1 }).success).toBe(true)
  })

  test('every field has a description, except readings of the browser', () => {
    const { IngestBody: _ingest, ...schemas } = DOCUMENT.components.schemas
    // The referenced schema may have the description.
    for (const [name, schema] of Object.entries(schemas))
      for (const { properties } of objectsIn(schema))
        for (const [field, { description, $ref }] of Object.entries(
          (properties ?? {}) as Record<string, JsonSchema>,
        ))
          expect(
            description ?? ($ref && (resolve($ref) as JsonSchema).description),
            `${name}.${field}`,
          ).toBeTruthy()
  })

  test('the ingest body lists every reading, the flags all nineteen', () => {
    const { schemas } = DOCUMENT.components
    const readings = schemas.IngestBody?.properties?.readings as JsonSchema
    expect(Object.keys(readings.properties ?? {})).toEqual(Object.keys(READINGS))
    expect(schemas.DetectionFlags?.required).toEqual(DETECTION_FLAGS.map(({ flag }) => flag))
  })

  test('every shared schema is published', () => {
    expect(Object.keys(DOCUMENT.components.schemas)).toEqual(Object.keys(COMPONENTS).sort())
  })
})

test('each search that does not check its type warns of it at the type', () => {
  for (const id of ['searchHistory', 'olderSearchHistory', 'olderDebugHistory']) {
    const type = operation(id).parameters?.find(({ name }) => name === 'search_type')
    expect(type?.description).toMatch(/\*\*Warning:.*unfiltered/)
  }
  expect(operation('searchHistory').description).toMatch(/^\*\*Warning:/)
})

test('the version is the one of the program', () => {
  expect(DOCUMENT.info.version).toBe('1.2.3')
})

describe('error bodies', () => {
  test('History 401 is JSON text as plain text, with a newline', () => {
    expect(bodiesOf('text/plain; charset=utf-8', responseOf(operation('searchHistory'), 401))).toEqual([
      '{"error":"missing or invalid authorization header"}\n',
      '{"error":"invalid api key"}\n',
    ])
  })

  test('Management 401 has neither body nor type', () => {
    expect(responseOf(operation('getDomainProfile'), 401).content).toBeUndefined()
    expect(responseOf(operation('searchHistoryDeprecated'), 401).content).toBeUndefined()
  })

  test('each 429 of the two APIs says when to come back', () => {
    for (const id of ['searchHistory', 'getExplanation', 'olderSearchHistory', 'getDomainProfile'])
      expect(responseOf(operation(id), 429).headers).toHaveProperty('Retry-After')
  })

  test('429 and 503 of Management name their charset', () => {
    const profile = operation('getDomainProfile')
    const type = 'application/json; charset=utf-8'
    expect(bodiesOf(type, responseOf(profile, 429))).toEqual([{ error: 'too many requests' }])
    expect(bodiesOf(type, responseOf(profile, 503))).toEqual([{ error: 'server is busy' }])
  })

  test('the deprecated history answers bare JSON, announced by three headers but for 429 and 503', () => {
    const deprecated = operation('searchHistoryDeprecated')
    expect(deprecated.deprecated).toBe(true)
    const type = 'application/json; charset=utf-8'
    expect(bodiesOf(type, responseOf(deprecated, 404))).toEqual(['email is not supported'])
    expect(bodiesOf(type, responseOf(deprecated, 400))).toEqual([
      'fail parse uuid',
      'invalid IP address',
      'value cannot be empty',
      null,
    ])
    const announced = Object.keys(deprecated.responses).filter((status) => {
      const { headers = {} } = responseOf(deprecated, Number(status))
      return ['Deprecation', 'Sunset', 'Link'].every((name) => name in headers)
    })
    expect(announced).toEqual(['200', '400', '401', '404', '410'])
    expect(responseOf(deprecated, 404).content).toHaveProperty(['text/plain; charset=utf-8'])
  })

  test('an unmatched path is plain text, a proxy failure an HTML page', () => {
    const search = operation('searchHistory')
    expect(bodiesOf('text/plain; charset=utf-8', responseOf(search, 404))).toEqual(['404 page not found'])
    expect(bodiesOf('text/html', responseOf(search, 502))[0]).toContain('502 Bad Gateway')
    expect(bodiesOf('text/html', responseOf(search, 504))[0]).toContain('504 Gateway')
  })

  test('a malformed value of History is a 500', () => {
    expect(bodiesOf('application/json', responseOf(operation('searchHistory'), 500))).toContainEqual({
      error: "code: 53, message: Cannot convert string 'order-1042' to type UUID",
    })
  })
})

describe('a deployment', () => {
  test('its short name is in all three headers, and the default name in none', () => {
    const text = JSON.stringify(openApi({ version: '1.2.3', serviceName: 'Acme', urls: HOSTS }))
    for (const header of ['X-Acme-Domain', 'X-Acme-Signature', 'X-Acme-Event-Id'])
      expect(text).toContain(header)
    expect(text).not.toContain('X-Svc')
  })

  test('each operation names the host that serves it', () => {
    const { paths } = openApi({ version: '1.2.3', serviceName: 'Svc', urls: HOSTS })
    const hosts = (path: string): string[] =>
      Object.values(paths[path] ?? {}).flatMap(({ servers }) => servers?.map(({ url }) => url) ?? [])
    expect(hosts('/api/v1/history/{search_type}/{value}')).toEqual([HOSTS.history])
    expect(hosts('/v1/profile')).toEqual([HOSTS.management])
    expect(hosts('/snapshot/{request_id}')).toEqual([HOSTS.ingest])
    expect(hosts('/agent.js')).toEqual([HOSTS.agent])
    expect(hosts('/health')).toEqual([HOSTS.history, HOSTS.management])
    expect(hosts('/{domain}:{secret}/profile')).toEqual([HOSTS.management])
    expect(JSON.stringify(paths)).not.toContain('localhost')
  })

  test('the successor link points to its History API', () => {
    const { components } = openApi({ version: '1.2.3', serviceName: 'Svc', urls: HOSTS })
    expect(components.headers.Link?.example).toBe(
      '<https://history.example.net/api/v1/history>; rel="successor-version"',
    )
  })

  test('the same deployment always gets the same text', () => {
    const text = () => JSON.stringify(openApi({ version: '1.2.3', serviceName: 'Svc', urls: HOSTS }))
    expect(text()).toBe(text())
  })
})
