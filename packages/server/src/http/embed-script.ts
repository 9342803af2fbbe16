import { fileURLToPath } from 'node:url'
import type { FastifyPluginAsync } from 'fastify'
import { readFileIfExists } from '../lib/read-file-if-exists.ts'
import { staticBody } from './static-body.ts'

const FOLDER = new URL('../../../agent/dist/', import.meta.url)
const JAVASCRIPT = 'text/javascript; charset=utf-8'
/** Short, so that pages get a new release within minutes. */
const CACHE_SECONDS = 300

/**
 * GET /embed.js: `identifyOnInteraction`, `identify` and `load` of the agent's package, for pages without a bundler. GET
 * /honeytokens.js: what these load for pages that ask for honeytokens.
 */
export const embedScript: FastifyPluginAsync = (app) => {
  for (const path of ['/embed.js', '/honeytokens.js']) {
    const file = fileURLToPath(new URL(`.${path}`, FOLDER))
    app.get(path, async (_request, reply) => {
      const script = await readFileIfExists(file)
      if (!script) return reply.code(503).type('text/plain; charset=utf-8').send('Not built: npm run build\n')
      reply.headers({
        'cache-control': `public, max-age=${CACHE_SECONDS}`,
        'access-control-allow-origin': '*',
        'cross-origin-resource-policy': 'cross-origin',
        'x-content-type-options': 'nosniff',
      })
      return staticBody(JAVASCRIPT, script).send(reply)
    })
  }
  return Promise.resolve()
}
