import { randomBytes, randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { createAccessTokens } from '../../packages/server/src/auth/access-token.ts'
import { openServerSecrets } from '../../packages/server/src/auth/server-secrets.ts'
import { startSession } from '../../packages/server/src/auth/sessions.ts'
import { addUser } from '../../packages/server/src/auth/users.ts'
import { openStore } from '../../packages/server/src/store/open-store.ts'
import { sendMalformed } from '../../packages/server/test/contract/malformed-run.ts'
import { appRoutes } from '../../packages/server/test/security/app-routes.ts'
import { addDomain, startInkling } from './inkling/start-inkling.ts'
import { describeMachine } from './lib/describe-machine.ts'
import { processUsage } from './lib/process-usage.ts'
import { progress } from './lib/progress.ts'
import { scratchFolder } from './lib/scratch.ts'

/**
 * Sends malformed requests over every route of every surface: the test of the contract with more requests and a server
 * of its own process. Fails at a crash, an unspecified error, text that reveals internals, or memory that grows.
 */
const { values } = parseArgs({
  options: {
    requests: { type: 'string', default: '100000' },
    seed: { type: 'string', default: '20260930' },
  },
})
const ROUNDS = 10
/** What the second half may add; the first fills caches and the heap. */
const GROWTH_MB_MAX = 64

const place = { dataDir: join(scratchFolder(), 'malformed') }
const keys = await addDomain(place, 'bench.example')
const store = await openStore(place)
const { secret_box_key } = await openServerSecrets(store.secrets)

/** A new one for each round, because they expire. */
async function tokenOf(role: 'owner' | 'analyst'): Promise<string> {
  const by = { actor: 'bench', nowMs: Date.now() }
  const password = randomBytes(16).toString('hex')
  const user = await addUser(store, { email: `${randomUUID()}@bench.example`, password, role }, by)
  if (!user) throw new Error('no user')
  const { sessionId } = await startSession(store, user, Date.now())
  return createAccessTokens(secret_box_key, Date.now).issue({ userId: user.id, sessionId })
}

const server = await startInkling(place, {
  settings: { LOG_LEVEL: 'silent', MANAGEMENT_LIMIT_PER_MINUTE: '1000000' },
})
const memory = async (): Promise<number> => (await processUsage(server.pid))?.memoryMb ?? Number.NaN
const [first = 'GET /', ...routes] = await appRoutes()
const statuses = new Map<string, number>()
const problems: string[] = []
const sizes: number[] = []
for (let round = 0; round < ROUNDS; round += 1) {
  const tokens = { owner: await tokenOf('owner'), analyst: await tokenOf('analyst') }
  const surfaces = { keys, routes: [first, ...routes] as const, tokens }
  const target = { port: server.port, surfaces, secrets: [keys.api_key, keys.secret_key, place.dataDir] }
  const count = Number(values.requests) / ROUNDS
  problems.push(...(await sendMalformed(target, { count, seed: Number(values.seed) + round, statuses })))
  sizes.push(await memory())
  progress(`${count * (round + 1)} requests, ${sizes.at(-1)?.toFixed(0)} MB, ${problems.length} problems`)
}
const works = await fetch(`http://127.0.0.1:${server.port}/health`).then(({ ok }) => ok)
await store.close()
await server.stop()

const growth = (sizes.at(-1) ?? Number.NaN) - (sizes[ROUNDS / 2 - 1] ?? Number.NaN)
const counts = [...statuses].toSorted().map(([status, count]) => `${status}: ${count}`)
process.stdout.write(
  `${describeMachine()}\n${values.requests} requests to ${routes.length + 1} routes, seed ${values.seed}\n`,
)
process.stdout.write(
  `${counts.join(', ')}\nmemory after each tenth: ${sizes.map((size) => size.toFixed(0)).join(', ')} MB\n`,
)
for (const problem of problems.slice(0, 20)) process.stdout.write(`${problem}\n`)
process.exitCode = problems.length === 0 && works && growth < GROWTH_MB_MAX ? 0 : 1
