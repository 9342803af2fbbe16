import { randomUUID } from 'node:crypto'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { appRoutes } from '../security/app-routes.ts'
import { type GuardedServer, startGuardedServer } from '../security/guarded-server.ts'
import { ordinaryBody } from './bodies.ts'
import { identify, rowOf } from './callers.ts'
import { type MalformedTarget, sendMalformed } from './malformed-run.ts'

/** Set another seed for other requests: `MALFORMED_SEED=7 npx vitest run …/malformed.test.ts`. */
const SEED = Number(process.env.MALFORMED_SEED ?? 20_260_930)
/** `npm run bench:malformed` sends 100,000. */
const REQUESTS = 10_000
/** How much memory the second half may add after garbage collection. */
const GROWTH_BYTES_MAX = 8 * 1024 * 1024

let server: GuardedServer
let target: MalformedTarget
beforeAll(async () => {
  server = await startGuardedServer({ settings: { LOG_LEVEL: 'silent' } })
  const [first = 'GET /', ...routes] = await appRoutes()
  const { port, keys, tokens, directory } = server
  target = {
    port,
    surfaces: { keys, routes: [first, ...routes], tokens },
    secrets: [keys.api_key, keys.secret_key, directory],
  }
})
afterAll(() => server.close())

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void

/** Memory in use after garbage collection. */
function inUse(): number {
  collect()
  collect()
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}

test(`10,000 malformed requests over every route of every surface: no crash, no unspecified 5xx, no leak, flat memory (seed ${SEED})`, async () => {
  process.stdout.write(`malformed requests: seed ${SEED}\n`)
  const startedAt = performance.now()
  const statuses = new Map<string, number>()
  const problems = await sendMalformed(target, { count: REQUESTS / 2, seed: SEED, statuses })
  const half = inUse()
  problems.push(...(await sendMalformed(target, { count: REQUESTS / 2, seed: SEED + 1, statuses })))
  const growth = inUse() - half
  const took = performance.now() - startedAt
  const counts = [...statuses].toSorted().map(([status, count]) => `${status}: ${count}`)
  process.stdout.write(
    `${counts.join(', ')}; ${Math.round(took)} ms, growth ${Math.round(growth / 1024)} KB\n`,
  )

  expect(problems).toEqual([])
  expect(growth).toBeLessThan(GROWTH_BYTES_MAX)
  // The test would prove nothing if every request were rejected early.
  for (const status of ['200', '204', '400', '401', '404', '413', '500'])
    expect(statuses.get(status) ?? 0).toBeGreaterThan(0)

  // The server still works.
  const requestId = randomUUID()
  await identify(server, requestId, ordinaryBody({ user_hid: 'after the storm' }))
  expect((await rowOf(server, requestId)).user_hid).toBe('after the storm')
}, 300_000)
