import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { FastifyPluginAsync } from 'fastify'
import { readFileIfExists } from '../lib/read-file-if-exists.ts'

/** What `build/pack-clients.ts` packs: the packages for a customer's backend and for the bundler of a page. */
const PACKAGES = ['sdk', 'agent']
const FOLDER = fileURLToPath(new URL('../../data/', import.meta.url))

/** GET /sdk.tgz and /agent.tgz: packages of this server's release, which `npm install` takes by their address. */
export const clientPackages: FastifyPluginAsync = (app) => {
  for (const name of PACKAGES)
    app.get(`/${name}.tgz`, async (_request, reply) => {
      reply.headers({ 'x-content-type-options': 'nosniff', 'cache-control': 'no-cache' })
      const packed = await readFileIfExists(join(FOLDER, `${name}.tgz`))
      if (!packed) return reply.code(503).type('text/plain; charset=utf-8').send('Not built: npm run build\n')
      return reply.type('application/gzip').send(packed)
    })
  return Promise.resolve()
}
