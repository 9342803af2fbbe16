import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Deployment, jsonSchemas, openApi } from '@inkling/contract/openapi'
import type { FastifyPluginAsync, FastifyReply } from 'fastify'
import { referencePage } from './page.ts'

/** The page runs no script and loads nothing from elsewhere. */
const PAGE_POLICY = [
  `default-src 'none'`,
  `style-src 'self'`,
  `img-src 'self'`,
  `base-uri 'none'`,
  `form-action 'none'`,
  `frame-ancestors 'none'`,
].join('; ')

const asset = (name: string): Buffer => readFileSync(join(import.meta.dirname, name))

interface Document {
  type: string
  body: string | Buffer
  headers?: Record<string, string>
}

/** GET /docs, /openapi.json and /schemas/NAME.json: the contract of this deployment. Made once, at the start. */
export function referenceRoutes(deployment: Deployment): FastifyPluginAsync {
  const document = openApi(deployment)
  const schemas = jsonSchemas()
  const documents: Record<string, Document> = {
    '/openapi.json': machineReadable('application/json', document),
    '/docs': {
      type: 'text/html; charset=utf-8',
      body: referencePage(document, Object.keys(schemas)),
      headers: { 'content-security-policy': PAGE_POLICY, 'referrer-policy': 'no-referrer' },
    },
    '/docs/reference.css': { type: 'text/css; charset=utf-8', body: asset('reference.css') },
    '/docs/inkling.svg': { type: 'image/svg+xml', body: asset('inkling.svg') },
  }
  for (const [name, schema] of Object.entries(schemas))
    documents[`/schemas/${name}.json`] = machineReadable('application/schema+json', schema)

  return async (app) => {
    for (const [path, content] of Object.entries(documents))
      app.get(path, (_request, reply) => send(reply, content))
  }
}

/** Any page may read it: tools in a browser do. */
const machineReadable = (type: string, value: object): Document => ({
  type,
  body: `${JSON.stringify(value, null, 2)}\n`,
  headers: { 'access-control-allow-origin': '*' },
})

const send = (reply: FastifyReply, { type, body, headers = {} }: Document): FastifyReply =>
  reply
    .headers({ 'x-content-type-options': 'nosniff', 'cache-control': 'no-cache', ...headers })
    .type(type)
    .send(body)
