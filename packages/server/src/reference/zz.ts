import Fastify from 'fastify'
import { referenceRoutes } from './reference-routes.ts'

const app = Fastify()
const l = 'http://localhost:8080'
await app.register(
  referenceRoutes({ serviceName: 'Svc', urls: { history: l, management: l, ingest: l, agent: l } }),
)
const r = await app.inject('/docs')
process.stderr.write(`${r.body.length}\n`)
await app.listen({ port: 18099, host: '127.0.0.1' })
