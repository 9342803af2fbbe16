import { ACCOUNT_TAG, accountPaths } from './account.ts'
import { AGENT_TAG, agentPaths } from './agent.ts'
import { componentSchemas } from './components.ts'
import type { OpenApiDocument } from './document.ts'
import { SHARED_ERRORS } from './errors.ts'
import { HEALTH_TAG, healthPaths } from './health.ts'
import { HISTORY_TAG, historyPaths } from './history.ts'
import { INGEST_TAG, ingestPaths } from './ingest.ts'
import { deprecationHeaders, MANAGEMENT_TAG, managementPaths } from './management.ts'
import { OLDER_TAG } from './older-form.ts'
import { olderHistoryPaths } from './older-history.ts'
import { olderManagementPaths } from './older-management.ts'
import { securitySchemes } from './security.ts'
import { type Deployment, serversOf } from './surface.ts'
import { WEBHOOK_TAG, webhooks } from './webhooks.ts'

/** Version of this description, not of the program. */
export const API_VERSION = '1.0.1'

const INTRODUCTION = [
  'A browser agent identifies a visit and hands the page a request ID. Your backend reads the result: from the History API, which always has the latest version, or from a signed webhook. A browser never receives a score.',
  'The Risk Score goes from 0 to 100. Clients call 0-29 trusted, 30-59 suspicious and 60-100 dangerous; anything above 100 (999) means that the address was rate limited and is not a score. Decide on the score and `detection_flags`; signal names and weights are for display.',
  'A missing identification means unverified, never clean. Let one identification authorize one action: refuse a request ID that was used before, or is too old.',
  'All times are UTC. Ignore fields you do not know, and keep values you do not know. On an error, branch on the status first, then try to parse the body as JSON whatever its content type says.',
].join('\n\n')

const TAGS: OpenApiDocument['tags'] = [
  { name: HISTORY_TAG, description: 'Read what was found out. About 15 requests per second per domain.' },
  { name: WEBHOOK_TAG, description: 'What the service sends to your endpoints.' },
  {
    name: MANAGEMENT_TAG,
    description:
      'Domain profile. 15 requests per minute per client IP; the one over it starts a block of ten minutes.',
  },
  { name: INGEST_TAG, description: 'Where the agent sends what it collected.' },
  { name: AGENT_TAG, description: 'The module that runs in a page.' },
  { name: HEALTH_TAG, description: 'Whether the service answers.' },
  {
    name: ACCOUNT_TAG,
    description: 'What the dashboard works with: people sign in, owners change things, analysts read.',
  },
  { name: OLDER_TAG, description: 'The previous form of the same surfaces, for clients that still use it.' },
]

export interface OpenApiOptions extends Deployment {
  version?: string
}

/** The OpenAPI 3.1 description of one deployment. The same input always gives the same document. */
export function openApi({ version = API_VERSION, ...deployment }: OpenApiOptions): OpenApiDocument {
  return {
    openapi: '3.1.0',
    info: {
      title: 'Inkling',
      version,
      summary: 'Browser identification and risk scoring',
      description: INTRODUCTION,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    jsonSchemaDialect: 'https://json-schema.org/draft/2020-12/schema',
    servers: serversOf(deployment, 'history', 'management', 'ingest', 'agent'),
    tags: TAGS,
    paths: {
      ...historyPaths(deployment),
      ...managementPaths(deployment),
      ...ingestPaths(deployment),
      ...agentPaths(deployment),
      ...healthPaths(deployment),
      ...accountPaths(deployment),
      ...olderHistoryPaths(deployment),
      ...olderManagementPaths(deployment),
    },
    webhooks: webhooks(deployment),
    components: {
      schemas: componentSchemas(),
      responses: SHARED_ERRORS,
      headers: deprecationHeaders(deployment),
      securitySchemes: securitySchemes(deployment),
    },
  }
}
