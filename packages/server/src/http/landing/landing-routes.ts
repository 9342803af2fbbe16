import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { FastifyPluginAsync } from 'fastify'
import { sendNotFound } from '../../lib/answers.ts'
import { staticBody } from '../static-body.ts'

export interface LandingDeps {
  /** URL of the demo page; undefined while there is none. */
  demoUrl(): string | undefined
}

const HEADERS = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-cache',
}
/** There is no script. */
const CONTENT_SECURITY_POLICY = [
  `default-src 'none'`,
  `style-src 'self'`,
  `img-src 'self'`,
  `base-uri 'none'`,
  `form-action 'none'`,
  `frame-ancestors 'none'`,
].join('; ')

/**
 * GET /: where to go from here, for somebody who opens the server's address in a browser. To programs, which do not ask
 * for HTML by name, it stays a path without a route.
 */
export function landingRoutes({ demoUrl }: LandingDeps): FastifyPluginAsync {
  const css = staticBody('text/css; charset=utf-8', readFileSync(join(import.meta.dirname, 'landing.css')))
  return (app) => {
    app.get('/', (request, reply) => {
      if (!/\btext\/html\b/i.test(request.headers.accept ?? '')) return sendNotFound(reply)
      return reply
        .headers({ ...HEADERS, vary: 'accept', 'content-security-policy': CONTENT_SECURITY_POLICY })
        .type('text/html; charset=utf-8')
        .send(page(demoUrl()))
    })
    app.get('/landing.css', (_request, reply) => css.send(reply.headers(HEADERS)))
    return Promise.resolve()
  }
}

/** Addresses are relative, because an operator may serve it below a path. */
const page = (demoUrl: string | undefined): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>Inkling</title>
<link rel="icon" href="docs/inkling.svg" type="image/svg+xml">
<link rel="stylesheet" href="landing.css">
</head>
<body>
<main>
<h1><img src="docs/inkling.svg" alt="" width="32" height="32">Inkling</h1>
<p>This server identifies browsers and scores the risk of each visit.</p>
<ul>
${demoUrl === undefined ? '' : link(demoUrl, 'Demo', 'Your own visit, with its score and the evidence behind it')}
${link('dashboard', 'Dashboard', 'Search and explain visits; manage domains, keys and webhooks')}
${link('docs', 'API reference', 'Every request, answer and event, also as <code>openapi.json</code>')}
</ul>
</main>
</body>
</html>
`

const link = (url: string, name: string, about: string): string =>
  `<li><a href="${url.replaceAll('&', '&amp;').replaceAll('"', '&quot;')}"><strong>${name}</strong> <span>${about}</span></a></li>`
