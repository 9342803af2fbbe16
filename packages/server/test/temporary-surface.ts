import { randomUUID } from 'node:crypto'
import Fastify, { type FastifyInstance, type FastifyPluginAsync } from 'fastify'
import { onTestFinished } from 'vitest'
import { type Directory, openDirectory } from '../src/auth/directory.ts'
import { createErrorHandler } from '../src/http/error-handler.ts'
import { sendNotFound } from '../src/lib/answers.ts'
import { createLog } from '../src/lib/log.ts'
import { createSecretBox, type SecretBox } from '../src/lib/secret-box.ts'
import { score } from '../src/score/score.ts'
import { identificationRow } from '../src/store/identifications/identification-row.ts'
import type { Store } from '../src/store/store.ts'
import type { Identified } from '../src/visit/identification.ts'
import { identified } from './identified.ts'
import { rotateKey } from './rotate-key.ts'
import { temporaryStore } from './temporary-store.ts'

export interface TestDomain {
  store: Store
  secrets: SecretBox
  directory: Directory
  domainId: number
  publicKey: string
  secretKey: string
  /** Stores one identification of the domain and returns its request ID. */
  record(given?: Partial<Identified>): Promise<string>
}

/** A real database with the domain shop.example and its keys. */
export async function temporaryDomain(): Promise<TestDomain> {
  const { store, domainId } = await temporaryStore()
  const secrets = createSecretBox(Buffer.alloc(32, 7))
  const publicKey = await rotateKey(store, secrets, domainId, 'public')
  const secretKey = await rotateKey(store, secrets, domainId, 'secret')
  const directory = await openDirectory(store, secrets)

  async function record(given: Partial<Identified> = {}): Promise<string> {
    const requestId = randomUUID()
    const visit = identified({ requestId, domain: { ...identified().domain, id: domainId }, ...given })
    const row = identificationRow(score(visit))
    const { type } = await store.commit({ type: 'identification', row, snapshot: undefined, outbox: [] })
    if (type !== 'stored') throw new Error(`the identification was not stored: ${type}`)
    return visit.requestId
  }
  return { store, secrets, directory, domainId, publicKey, secretKey, record }
}

/** Routes in an app with the raw paths, plain 404 and error handler of the real one. */
export function surface(routes: FastifyPluginAsync, rawPrefixes: readonly string[]): FastifyInstance {
  const app = Fastify({
    routerOptions: { maxParamLength: 4_096 },
    rewriteUrl: ({ url = '/' }) => {
      const prefix = rawPrefixes.find((known) => url.startsWith(known))
      return prefix === undefined ? url : `${prefix}raw`
    },
    frameworkErrors: (_error, _request, reply) => void sendNotFound(reply),
  })
  app.setNotFoundHandler((_request, reply) => sendNotFound(reply))
  app.setErrorHandler(createErrorHandler(createLog('silent')))
  app.register(routes)
  onTestFinished(() => app.close())
  return app
}
