import { createDocument, type oas32, type ZodOpenApiPathsObject } from 'zod-openapi'
import { ACCOUNT_TAG, accountPaths } from './account.ts'
import { backendPaths } from './backend-questions.ts'
import { AGENT_TAG, browserPaths, INGEST_TAG } from './browser.ts'
import { type Deployment, securitySchemes, serversOf } from './deployment.ts'
import { HISTORY_TAG, historyPaths } from './history.ts'
import { keyReadPaths } from './key-reads.ts'
import { HEALTH_TAG, healthPaths, MANAGEMENT_TAG, managementPaths } from './management.ts'
import { OLDER_TAG, olderHistoryPaths } from './older-history.ts'
import { deprecatedPaths, olderManagementPaths } from './older-management.ts'
import { requestSample } from './request-sample.ts'
import { COMPONENTS, type JsonSchema, override, PUBLISHED_SCHEMAS } from './schemas.ts'
import { WEBHOOK_TAG, webhookPaths } from './webhooks.ts'

/** Version of the contract, which releases of the program do not change. */
const CONTRACT_VERSION = '1.0.1'

const INTRODUCTION = [
  'The agent runs in a visitor’s browser. It sends what it can see of that browser to ingest and gives your page a request ID, nothing more. Your backend finds the verdict under that ID in History, or gets it as a signed webhook. History shows the newest state of a visit; a webhook shows the state at the time it was sent.',
  'A Risk Score is a whole number from 0 (nothing was found) to 100. The dashboard and the SDK call a score from 60 on `dangerous`, one from 30 on `suspicious` and one below that `trusted`. 999 is no score: it marks an address that sent too many identifications. Let your code decide by the score and the `detection_flags`. Signals and their weights explain a score to people, and operators can change the weights.',
  'No row is no verdict: treat such a visitor as unknown. A request ID is worth one action, soon after it was made; `decide` in the SDK sees to that.',
  'All times are UTC. A program that reads these answers should expect fields and values that it has not met before. For an error it needs the status alone: the body says what went wrong in words, mostly as `{"error": …}`, and the responses below list the exceptions.',
  `JSON Schemas of what crosses a wire are published on their own, too: ${PUBLISHED_SCHEMAS.map((name) => `[${name}](schemas/${name}.json)`).join(', ')}.`,
].join('\n\n')

const TAGS = [
  HISTORY_TAG,
  WEBHOOK_TAG,
  MANAGEMENT_TAG,
  INGEST_TAG,
  AGENT_TAG,
  HEALTH_TAG,
  ACCOUNT_TAG,
  OLDER_TAG,
]

const pathsOf = (deployment: Deployment): ZodOpenApiPathsObject => ({
  ...historyPaths(deployment),
  ...backendPaths(deployment),
  ...keyReadPaths(deployment),
  ...managementPaths(deployment),
  ...deprecatedPaths(deployment),
  ...browserPaths(deployment),
  ...healthPaths(deployment),
  ...accountPaths(deployment),
  ...olderHistoryPaths(deployment),
  ...olderManagementPaths(deployment),
})

export interface OpenApiOptions extends Deployment {
  /** Of the program. */
  version: string
}

interface MediaType {
  schema: JsonSchema
  examples?: Record<string, oas32.ExampleObject>
}

type Content = Record<string, MediaType>

/** A response, written out. */
export interface Response extends Omit<oas32.ResponseObject, 'content'> {
  content?: Content
}

/** What every operation of this document has. */
export interface Operation extends Omit<oas32.OperationObject, 'requestBody' | 'responses'> {
  operationId: string
  tags: string[]
  security: Record<string, string[]>[]
  parameters?: oas32.ParameterObject[]
  requestBody?: Omit<oas32.RequestBodyObject, 'content'> & { content: Content }
  responses: Record<string, Response | oas32.ReferenceObject>
}

type Operations = Record<string, Partial<Record<'get' | 'post' | 'patch' | 'delete', Operation>>>

export interface OpenApiDocument extends Omit<oas32.OpenAPIObject, 'components' | 'paths' | 'webhooks'> {
  paths: Operations
  webhooks: Operations
  tags: oas32.TagObject[]
  components: {
    schemas: Record<string, JsonSchema>
    responses: Record<string, Response>
    headers: Record<string, oas32.HeaderObject>
    securitySchemes: Record<string, oas32.SecuritySchemeObject>
  }
}

/** The OpenAPI 3.1 document of one deployment. The same input always gives the same document. */
export function openApi({ version, ...deployment }: OpenApiOptions): OpenApiDocument {
  const document = createDocument(
    {
      openapi: '3.1.0',
      info: {
        title: 'Inkling',
        version,
        summary: 'Browser identification and risk scoring',
        description: INTRODUCTION,
        license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
        'x-contract-version': CONTRACT_VERSION,
      },
      jsonSchemaDialect: 'https://json-schema.org/draft/2020-12/schema',
      servers: serversOf(deployment, 'history', 'management', 'ingest', 'agent'),
      tags: TAGS,
      paths: pathsOf(deployment),
      webhooks: webhookPaths(deployment),
      components: { schemas: COMPONENTS, securitySchemes: securitySchemes(deployment) },
    },
    { override },
  )
  return withSamples(inOrder(document as OpenApiDocument))
}

/** Schemas by name: the library lists them in the order in which it meets them, which modules can change. */
function inOrder(document: OpenApiDocument): OpenApiDocument {
  const { components } = document
  components.schemas = Object.fromEntries(
    Object.entries(components.schemas).sort(([one], [other]) => (one < other ? -1 : 1)),
  )
  return document
}

/**
 * Redoc shows a sample beside each operation (https://redocly.com/docs/realm/content/api-docs/openapi-extensions/x-code-samples).
 * As plain text, because it colors a shell's with style attributes, which the page's policy forbids.
 */
function withSamples(document: OpenApiDocument): OpenApiDocument {
  for (const [path, item] of Object.entries(document.paths))
    for (const [method, operation] of Object.entries(item))
      operation['x-codeSamples'] = [
        { lang: 'text', label: 'curl', source: requestSample(path, method, operation) },
      ]
  return document
}
