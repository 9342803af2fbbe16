import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { FastifyPluginAsync, FastifyReply } from 'fastify'
import type { DemoDeps } from './demo-routes.ts'

/** What the page consists of; nothing else in the folder is served. */
const FILES: Record<string, string> = {
  'index.html': 'text/html; charset=utf-8',
  'demo.js': 'text/javascript; charset=utf-8',
  'demo.css': 'text/css; charset=utf-8',
  'inkling.svg': 'image/svg+xml',
}

/** GET /demo and the files of the page. */
export function demoFiles({ demoUrl, agentUrl, ingestUrl, staticDir }: DemoDeps): FastifyPluginAsync {
  const demoHost = bareHost(new URL(demoUrl).hostname)
  const headers = {
    'content-security-policy': contentSecurityPolicy(agentUrl, ingestUrl),
    'x-content-type-options': 'nosniff',
    // Not stricter: ingest tells the page's host by the Origin or Referer of the agent's request.
    'referrer-policy': 'strict-origin-when-cross-origin',
    'cache-control': 'no-store',
  }

  async function send(reply: FastifyReply, name: string): Promise<FastifyReply> {
    reply.headers(headers)
    const content = await readIfThere(join(staticDir, name))
    if (content) return reply.type(FILES[name] ?? 'application/octet-stream').send(content)
    return reply
      .code(503)
      .type('text/plain; charset=utf-8')
      .send('The demo page is not built: npm run build\n')
  }

  return async (app) => {
    for (const path of ['/demo', '/demo/']) {
      app.get(path, async (request, reply) => {
        if (bareHost(request.hostname) === demoHost) return send(reply, 'index.html')
        // The demo's key belongs to one domain, so the agent would be refused on 127.0.0.1.
        return reply.headers(headers).redirect(demoUrl + queryOf(request.originalUrl), 307)
      })
    }
    for (const name of Object.keys(FILES)) {
      app.get(`/demo/${name}`, async (_, reply) => send(reply, name))
    }
  }
}

/** The page is its own example: the agent works under a policy this strict. */
function contentSecurityPolicy(agentUrl: string, ingestUrl: string): string {
  return [
    `default-src 'none'`,
    `script-src 'self' ${new URL(agentUrl).origin}`,
    `style-src 'self'`,
    `img-src 'self' data:`,
    `connect-src 'self' ${new URL(ingestUrl).origin} ${webSocketOrigin(ingestUrl)}`,
    'worker-src blob:',
    `base-uri 'none'`,
    `form-action 'none'`,
    `frame-ancestors 'none'`,
  ].join('; ')
}

/** Of the follow-up channel; browsers differ on whether the origin's own name covers it. */
const webSocketOrigin = (url: string): string => new URL(url).origin.replace(/^http/, 'ws')

/** An IPv6 host keeps its brackets in one place and loses them in the other. */
const bareHost = (host: string): string => host.toLowerCase().replace(/^\[|\]$/g, '')

/** The query is part of the demo: the traffic source is read from it. */
const queryOf = (url: string): string => (url.includes('?') ? url.slice(url.indexOf('?')) : '')

async function readIfThere(path: string): Promise<Buffer | undefined> {
  try {
    return await readFile(path)
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw error
  }
}
