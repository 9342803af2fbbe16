import type { PathItem, Server } from './document.ts'

/** The four public base URLs, without a slash at the end. */
export interface PublicUrls {
  history: string
  management: string
  ingest: string
  agent: string
}

/** What a description depends on besides the schemas. */
export interface Deployment {
  /** Short name in header names: `X-Svc-Signature`. */
  serviceName: string
  urls: PublicUrls
}

export type Paths = Record<string, PathItem>

/** A header of the service, such as `X-Svc-Domain`. */
export const headerName = ({ serviceName }: Deployment, what: 'Domain' | 'Signature' | 'Event-Id'): string =>
  `X-${serviceName}-${what}`

const SERVES: Record<keyof PublicUrls, string> = {
  history: 'History API',
  management: 'Management API',
  ingest: 'Ingest',
  agent: 'Agent',
}

/** The base URL of one surface; of several, each URL once. */
export function serversOf({ urls }: Deployment, ...surfaces: (keyof PublicUrls)[]): Server[] {
  const byUrl = new Map<string, string[]>()
  for (const surface of surfaces)
    byUrl.set(urls[surface], [...(byUrl.get(urls[surface]) ?? []), SERVES[surface]])
  return [...byUrl].map(([url, serves]) => ({ url, description: serves.join(', ') }))
}
