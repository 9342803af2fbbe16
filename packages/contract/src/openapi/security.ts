import type { SecurityScheme } from './document.ts'
import { type Deployment, headerName } from './surface.ts'

/** The credentials; one cannot stand in for another. */
export const securitySchemes = (deployment: Deployment): Record<string, SecurityScheme> => ({
  apiKey: {
    type: 'http',
    scheme: 'bearer',
    description:
      'Private API Key of a domain: `sec_` and three groups of eight lowercase letters or digits, joined by `-`. Reads the History of that domain only. Keep it on your server. `Bearer` is read in any case.',
  },
  secretKey: {
    type: 'http',
    scheme: 'bearer',
    description: `Secret Key of a domain, hex, next to \`${headerName(deployment, 'Domain')}\`. For the Management API. Keep it on your server.`,
  },
  domainHeader: {
    type: 'apiKey',
    in: 'header',
    name: headerName(deployment, 'Domain'),
    description: 'Registered domain that the Secret Key belongs to.',
  },
  publicKey: {
    type: 'apiKey',
    in: 'query',
    name: 'publicKey',
    description:
      'Public Key of a domain: 32 lowercase hex digits. Names the domain in a browser; safe to expose.',
  },
  accessToken: {
    type: 'http',
    scheme: 'bearer',
    description: 'Of somebody who signed in to the dashboard; good for ten minutes, and for their session.',
  },
  refreshCookie: {
    type: 'apiKey',
    in: 'cookie',
    name: 'inkling_refresh',
    description: 'Set by a login, for the two paths below `/account/session` only; out of reach of scripts.',
  },
})
