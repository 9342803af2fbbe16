import { createHash } from 'node:crypto'
import { PUBLIC_KEY_PATTERN } from '@inkling/contract'
import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify'
import { staticBody } from './static-body.ts'

const JAVASCRIPT = 'text/javascript; charset=utf-8'
/** Short, so that pages get a new release within minutes. */
const LOADER_SECONDS = 300
/** The URL has a hash of the content, so it never changes. */
const MODULE_SECONDS = 31_536_000

export interface AgentScriptDeps {
  /** The built module; it reads the free name `__INKLING_CONFIG__`. */
  script: string
  ingestUrl: string
  /** The server's public key for encrypted bodies: a raw P-256 point. */
  serverKey: Buffer
  /** Whether follow-up checks run. */
  followUp: boolean
  /** Called for each request that a page's script tag or `import` may have made. */
  loaded(request: FastifyRequest): void
}

/**
 * GET /agent.js?publicKey=KEY, and /snippet.js: a small ES module that re-exports the current agent. GET
 * /agent/HASH.js is that agent, named by a hash of its content: browsers cache it, and a page may pin the hash. Other
 * parameters are ignored.
 */
export const agentScriptRoutes =
  ({ script, ingestUrl, serverKey, followUp, loaded }: AgentScriptDeps): FastifyPluginAsync =>
  (app) => {
    const config = { ingestUrl, serverKey: serverKey.toString('base64url'), followUp }
    const module = `const __INKLING_CONFIG__=${JSON.stringify(config)};\n${script}`
    const file = `${createHash('sha256').update(module).digest('base64url').slice(0, 22)}.js`
    const body = staticBody(JAVASCRIPT, module)

    app.addHook('onRequest', (request, _reply, done) => {
      // Older browsers send no such header.
      if ((request.headers['sec-fetch-dest'] ?? 'script') === 'script') loaded(request)
      done()
    })
    for (const path of ['/agent.js', '/snippet.js'])
      app.get<{ Querystring: Record<string, string | string[] | undefined> }>(path, (request, reply) => {
        const key = [request.query.publicKey].flat()[0] ?? ''
        // Only a well-formed key is echoed into the script; without one the agent answers not_initialized.
        const query = PUBLIC_KEY_PATTERN.test(key) ? `?publicKey=${key}${retryOf(request.query)}` : ''
        withHeaders(reply, `public, max-age=${LOADER_SECONDS}`)
        return reply.type(JAVASCRIPT).send(loader(`./agent/${file}${query}`))
      })

    app.get<{ Params: { file: string } }>('/agent/:file', (request, reply) => {
      // A cached loader of an older release gets the current agent, which must not be cached under the old name.
      const lasting = request.params.file === file
      withHeaders(reply, lasting ? `public, max-age=${MODULE_SECONDS}, immutable` : 'no-store')
      return body.send(reply)
    })
    return Promise.resolve()
  }

/** Browsers remember a module that failed to load, so a retry needs a new URL for the agent as well. */
function retryOf(query: Record<string, string | string[] | undefined>): string {
  // `fresh` is what `load` of the agent's package sends, `retry` what pages with a loader of their own may send.
  for (const name of ['fresh', 'retry']) {
    const value = query[name]
    if (typeof value === 'string' && /^[\da-z]{1,12}$/.test(value)) return `&${name}=${value}`
  }
  return ''
}

/** The import is relative, so it works under any host and path. */
const loader = (module: string): string =>
  `export{checkAnonymous,checkAuthenticatedUser,forceCheckAnonymous,forceCheckAuthenticatedUser,default}from"${module}";\n`

const withHeaders = (reply: FastifyReply, cacheControl: string): FastifyReply =>
  reply
    .header('cache-control', cacheControl)
    .header('access-control-allow-origin', '*')
    .header('cross-origin-resource-policy', 'cross-origin')
    .header('x-content-type-options', 'nosniff')
