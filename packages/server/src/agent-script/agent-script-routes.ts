import { PUBLIC_KEY_PATTERN } from '@inkling/contract'
import type { FastifyPluginAsync } from 'fastify'

/** Short, so that a page gets a new release within minutes. */
const CACHE_SECONDS = 300

export interface AgentScriptDeps {
  /** The built module; it reads the free name `__INKLING_CONFIG__`. */
  script: string
  ingestUrl: string
  /** Raw P-256 point that encrypted bodies are made for. */
  serverKey: Buffer
}

/** GET /agent.js?publicKey=KEY, and /snippet.js: the ES module for a page. Other parameters are ignored. */
export const agentScriptRoutes =
  ({ script, ingestUrl, serverKey }: AgentScriptDeps): FastifyPluginAsync =>
  (app) => {
    for (const path of ['/agent.js', '/snippet.js'])
      app.get<{ Querystring: Record<string, string | string[] | undefined> }>(path, (request, reply) => {
        const key = [request.query.publicKey].flat()[0] ?? ''
        const config = {
          // A key of another form is not echoed into script; without one the agent answers not_initialized.
          publicKey: PUBLIC_KEY_PATTERN.test(key) ? key : '',
          ingestUrl,
          serverKey: serverKey.toString('base64url'),
        }
        return reply
          .header('content-type', 'text/javascript; charset=utf-8')
          .header('cache-control', `public, max-age=${CACHE_SECONDS}`)
          .header('access-control-allow-origin', '*')
          .header('cross-origin-resource-policy', 'cross-origin')
          .header('x-content-type-options', 'nosniff')
          .send(`const __INKLING_CONFIG__=${JSON.stringify(config)};\n${script}`)
      })
    return Promise.resolve()
  }
