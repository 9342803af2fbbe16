import { join } from 'node:path'
import type { FastifyPluginAsync, FastifyReply } from 'fastify'
import { readFileIfExists } from '../lib/read-file-if-exists.ts'

/** The files of the page; nothing else in the folder is served. */
const FILES: Record<string, string> = {
  'index.html': 'text/html; charset=utf-8',
  'demo.js': 'text/javascript; charset=utf-8',
  'demo.css': 'text/css; charset=utf-8',
  'inkling.svg': 'image/svg+xml',
}

export interface DemoFilesDeps {
  /** URL of the demo page, such as `http://localhost:8080/demo`. */
  demoUrl: string
  agentUrl: string
  ingestUrl: string
  /** Folder with the built page. */
  staticDir: string
}

/** GET /demo and the files of the page. */
export function demoFiles({ demoUrl, agentUrl, ingestUrl, staticDir }: DemoFilesDeps): FastifyPluginAsync {
  const demoHost = bareHost(new URL(demoUrl).hostname)
  const headers = {
    'content-security-policy': contentSecurityPolicy(agentUrl, ingestUrl),
    'x-content-type-options': 'nosniff',
    // Not stricter: ingest reads the page's host from the Origin or Referer of the agent's request.
    'referrer-policy': 'strict-origin-when-cross-origin',
    'cache-control': 'no-store',
  }

  async function send(reply: FastifyReply, name: string): Promise<FastifyReply> {
    reply.headers(headers)
    const content = await readFileIfExists(join(staticDir, name))
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
        // The demo's key is valid on one domain only, so ingest would reject a page on 127.0.0.1.
        return reply.headers(headers).redirect(demoUrl + queryOf(request.originalUrl), 307)
      })
    }
    for (const name of Object.keys(FILES)) {
      app.get(`/demo/${name}`, async (_, reply) => send(reply, name))
    }
  }
}

/** As strict as the agent allows: an example for customers. */
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

/** For the follow-up channel: browsers differ on whether `'self'` covers WebSockets. */
const webSocketOrigin = (url: string): string => new URL(url).origin.replace(/^http/, 'ws')

/** `URL` keeps the brackets of an IPv6 host, Fastify removes them. */
const bareHost = (host: string): string => host.toLowerCase().replace(/^\[|\]$/g, '')

/** The demo keeps its query, which holds the traffic source. */
const queryOf = (url: string): string => (url.includes('?') ? url.slice(url.indexOf('?')) : '')
