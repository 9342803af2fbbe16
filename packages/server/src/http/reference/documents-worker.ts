import { parentPort, workerData } from 'node:worker_threads'
import { jsonSchemas, type OpenApiOptions, openApi } from '@inkling/contract/openapi'

/** What the contract says of one deployment, as JSON. */
export interface Documents {
  openApi: string
  /** By name. */
  schemas: Record<string, string>
}

const text = (document: object): string => `${JSON.stringify(document, null, 2)}\n`

function documentsOf(deployment: OpenApiOptions): Documents {
  const schemas = Object.entries(jsonSchemas()).map(([name, schema]) => [name, text(schema)] as const)
  return { openApi: text(openApi(deployment)), schemas: Object.fromEntries(schemas) }
}

parentPort?.postMessage(documentsOf(workerData as OpenApiOptions))
