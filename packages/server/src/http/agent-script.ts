import { createHash } from 'node:crypto'
import { PUBLIC_KEY_PATTERN } from '@inkling/contract'
import type { FastifyPluginAsync, FastifyReply } from 'fastify'

/** Short, so that a page gets a new release within minutes. */
const LOADER_SECONDS = 300
/** Its address names its content, so it never changes. */
const MODULE_SECONDS = 31_536_000

export interface AgentScriptDeps {
  /** The built module; it reads the free name `__INKLING_CONFIG__`. */
  script: string
  ingestUrl: string
  /** Raw P-256 point that encrypted bodies are made for. */
  serverKey: Buffer
  /** Whether checks run that report later. */
  followUp: boolean
}

/**
 * GET /agent.js?publicKey=KEY, and /snippet.js: a small ES module that passes on the agent of today. GET
 * /agent/HASH.js is that agent, named by its content: browsers keep it, and a page may pin its hash. Other
 * parameters are ignored.
 */
export const agentScriptRoutes =
  ({ script, ingestUrl, serverKey, followUp }: AgentScriptDeps): FastifyPluginAsync =>
  (app) => {
    const config = { ingestUrl, serverKey: serverKey.toString('base64url'), followUp }
    const module = `const __INKLING_CONFIG__=${JSON.stringify(config)};\n${script}`
    const file = `${createHash('sha256').update(module).digest('base64url').slice(0, 22)}.js`

    for (const path of ['/agent.js', '/snippet.js'])
      app.get<{ Querystring: Record<string, string | string[] | undefined> }>(path, (request, reply) => {
        const key = [request.query.publicKey].flat()[0] ?? ''
        // A key of another form is not echoed into script; without one the agent answers not_initialized.
        const query = PUBLIC_KEY_PATTERN.test(key) ? `?publicKey=${key}${retryOf(request.query.retry)}` : ''
        return send(reply, `public, max-age=${LOADER_SECONDS}`, loader(`./agent/${file}${query}`))
      })

    app.get<{ Params: { file: string } }>('/agent/:file', (request, reply) => {
      // A loader from before an upgrade still finds the agent, but it must not be kept under that name.
      const lasting = request.params.file === file
      return send(reply, lasting ? `public, max-age=${MODULE_SECONDS}, immutable` : 'no-store', module)
    })
    return Promise.resolve()
  }

/** Browsers remember that a module failed: a page that tries again needs another address for it too. */
const retryOf = (retry: string | string[] | undefined): string =>
  typeof retry === 'string' && /^\d{1,3}$/.test(retry) ? `&retry=${retry}` : ''

/** Relative, so that it holds under whatever host and path the operator serves it. */
const loader = (module: string): string =>
  `export{checkAnonymous,checkAuthenticatedUser,forceCheckAnonymous,forceCheckAuthenticatedUser,default}from"${module}";\n`

const send = (reply: FastifyReply, cacheControl: string, text: string): FastifyReply =>
  reply
    .header('content-type', 'text/javascript; charset=utf-8')
    .header('cache-control', cacheControl)
    .header('access-control-allow-origin', '*')
    .header('cross-origin-resource-policy', 'cross-origin')
    .header('x-content-type-options', 'nosniff')
    .send(text)
