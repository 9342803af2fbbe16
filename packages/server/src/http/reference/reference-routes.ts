import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Worker } from 'node:worker_threads'
import { type OpenApiOptions, PUBLISHED_SCHEMAS } from '@inkling/contract/openapi'
import type { FastifyPluginAsync, FastifyReply } from 'fastify'
import { PAGE_HEADERS } from '../security-headers.ts'
import { createKeptFiles, packedBody, type StaticBody, staticBody } from '../static-body.ts'
import type { Documents } from './documents-worker.ts'

/** Redoc, which `build/pack-reference.ts` compresses. */
const REDOC_FILE = fileURLToPath(new URL('../../../data/redoc.js.gz', import.meta.url))

const HEADERS = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-cache',
}
const JAVASCRIPT = 'text/javascript; charset=utf-8'

/** The page loads nothing from other hosts. Redoc writes style elements, which need the nonce, and evaluates no text. */
const contentSecurityPolicy = (nonce: string): string =>
  [
    `default-src 'none'`,
    `script-src 'self'`,
    `style-src 'self' 'nonce-${nonce}'`,
    `img-src 'self'`,
    `font-src data:`,
    `connect-src 'self'`,
    `base-uri 'none'`,
    `form-action 'none'`,
    `frame-ancestors 'none'`,
  ].join('; ')

/** Addresses are relative, because an operator may serve it below a path. */
const page = (nonce: string): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta property="csp-nonce" nonce="${nonce}">
<title>Inkling API reference</title>
<link rel="icon" href="docs/inkling.svg" type="image/svg+xml">
<link rel="stylesheet" href="docs/reference.css">
</head>
<body>
<div id="reference"></div>
<noscript>The page needs JavaScript. <a href="openapi.json">The OpenAPI document</a> says the same.</noscript>
<script type="module" src="docs/reference.js"></script>
</body>
</html>
`

/**
 * GET /docs, the reference as Redoc draws it, /openapi.json and /schemas/NAME.json: the contract of this
 * deployment. Its documents are made when the first is asked for.
 */
export function referenceRoutes(deployment: OpenApiOptions): FastifyPluginAsync {
  const documents = createDocuments(deployment)
  const assets = {
    '/docs/reference.js': JAVASCRIPT,
    '/docs/reference.css': 'text/css; charset=utf-8',
    '/docs/inkling.svg': 'image/svg+xml',
    '/docs/redoc.svg': 'image/svg+xml',
  }

  return async (app) => {
    // Tools that run in other pages read these.
    for (const path of ['/openapi.json', ...PUBLISHED_SCHEMAS.map(schemaPath)])
      app.get(path, async (_request, reply) => {
        const body = await documents(path)
        return body?.send(reply.headers(HEADERS).header('access-control-allow-origin', '*'))
      })
    for (const [path, type] of Object.entries(assets)) {
      const body = staticBody(type, readFileSync(join(import.meta.dirname, path.replace('/docs/', ''))))
      app.get(path, (_request, reply) => body.send(reply.headers(HEADERS)))
    }
    app.get('/docs', (_request, reply) => {
      const nonce = randomBytes(16).toString('base64')
      reply.headers({ 'content-security-policy': contentSecurityPolicy(nonce), ...PAGE_HEADERS })
      return send(reply, 'text/html; charset=utf-8', page(nonce))
    })
    const redoc = createKeptFiles((_name, packed) => packedBody(JAVASCRIPT, packed))
    app.get('/docs/redoc.js', async (_request, reply) => {
      const body = await redoc(REDOC_FILE)
      if (!body) return send(reply.code(503), 'text/plain; charset=utf-8', 'Not built: npm run build\n')
      return body.send(reply.headers(HEADERS))
    })
  }
}

const schemaPath = (name: string): string => `/schemas/${name}.json`

/** Their text is made once, in a thread that ends with it: it takes most of a second on a small machine. */
function createDocuments(deployment: OpenApiOptions): (path: string) => Promise<StaticBody | undefined> {
  let made: Promise<Map<string, StaticBody>> | undefined

  async function make(): Promise<Map<string, StaticBody>> {
    const { openApi, schemas } = await describeContract(deployment)
    const bodies = new Map([['/openapi.json', staticBody('application/json; charset=utf-8', openApi)]])
    for (const [name, schema] of Object.entries(schemas))
      bodies.set(schemaPath(name), staticBody('application/schema+json; charset=utf-8', schema))
    return bodies
  }
  return async (path) => {
    made ??= make().catch((error: unknown) => {
      // The next request tries again.
      made = undefined
      throw error
    })
    return (await made).get(path)
  }
}

async function describeContract(deployment: OpenApiOptions): Promise<Documents> {
  const worker = new Worker(new URL('./documents-worker.ts', import.meta.url), { workerData: deployment })
  // A server that stops does not wait for it.
  worker.unref()
  const { promise, resolve, reject } = Promise.withResolvers<Documents>()
  worker.once('message', resolve).once('error', reject)
  worker.once('exit', () => reject(new Error('the thread that makes the documents ended without them')))
  return await promise
}

const send = (reply: FastifyReply, type: string, body: string): FastifyReply =>
  reply.headers(HEADERS).type(type).send(body)
