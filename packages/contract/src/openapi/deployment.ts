import type { oas32 } from 'zod-openapi'

/** The four public base URLs, without a slash at the end. */
export interface PublicUrls {
  history: string
  management: string
  ingest: string
  agent: string
}

/** What the document depends on besides the schemas. */
export interface Deployment {
  /** Short name in header names: `X-Svc-Signature`. */
  serviceName: string
  urls: PublicUrls
}

/** A header of the service, such as `X-Svc-Domain`. */
export const headerName = ({ serviceName }: Deployment, what: 'Domain' | 'Signature' | 'Event-Id'): string =>
  `X-${serviceName}-${what}`

const SERVES: Record<keyof PublicUrls, string> = {
  history: 'History API',
  management: 'Management API',
  ingest: 'Ingest',
  agent: 'Agent',
}

/** The servers of some surfaces. Surfaces that share a URL share an entry. */
export function serversOf({ urls }: Deployment, ...surfaces: (keyof PublicUrls)[]): oas32.ServerObject[] {
  const byUrl = Map.groupBy(surfaces, (surface) => urls[surface])
  return [...byUrl].map(([url, served]) => ({
    url,
    description: served.map((surface) => SERVES[surface]).join(', '),
  }))
}

/** The credentials that operations ask for. */
export const securitySchemes = (deployment: Deployment): Record<string, oas32.SecuritySchemeObject> => ({
  apiKey: {
    type: 'http',
    scheme: 'bearer',
    description:
      'Private API Key, such as `sec_h4w7q0zd-n81kc5xe-u3b6r9ty`. Gives access to what backends ask about one domain. A named key of the same form may do what its scopes say, and may end. It belongs on your server, never in a page.',
  },
  secretKey: {
    type: 'http',
    scheme: 'bearer',
    description: `Secret Key: 32 hex digits. Opens the Management API together with \`${headerName(deployment, 'Domain')}\`. It belongs on your server, never in a page.`,
  },
  domainHeader: {
    type: 'apiKey',
    in: 'header',
    name: headerName(deployment, 'Domain'),
    description: 'The domain whose Secret Key is sent.',
  },
  publicKey: {
    type: 'apiKey',
    in: 'query',
    name: 'publicKey',
    description: 'Public Key: 32 hex digits. Identifies the domain of a page; it gives no access.',
  },
  accessToken: {
    type: 'http',
    scheme: 'bearer',
    description: 'Access token of a dashboard session. It lasts ten minutes, or until the session ends.',
  },
  refreshCookie: {
    type: 'apiKey',
    in: 'cookie',
    name: 'inkling_refresh',
    description:
      'Set at login, for the two paths below `/account/session` only. Scripts in a page cannot read it.',
  },
})
