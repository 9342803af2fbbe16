import { randomUUID } from 'node:crypto'
import { Agent, request } from 'node:http'
import { connect } from 'node:net'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { appRoutes } from '../security/app-routes.ts'
import { type GuardedServer, startGuardedServer } from '../security/guarded-server.ts'
import { ordinaryBody } from './bodies.ts'
import { identify, rowOf } from './callers.ts'
import { brokenBytes, malformedRequest, type Surfaces } from './malformed-requests.ts'
import { type RandomSource, randomSource } from './random-source.ts'
import type { RawRequest } from './raw-request.ts'

/** Set another seed for other requests: `MALFORMED_SEED=7 npx vitest run …/malformed.test.ts`. */
const SEED = Number(process.env.MALFORMED_SEED ?? 20_260_930)
/** `npm run bench:malformed` sends 100,000. */
const REQUESTS = Number(process.env.MALFORMED_REQUESTS ?? 10_000)
/** One in this many requests is not HTTP; it needs its own socket. */
const BROKEN_EVERY = 20
const CLIENTS = 6
const TIME_MS = 6 * REQUESTS
/** How much memory the second half may add after garbage collection. */
const GROWTH_BYTES_MAX = 8 * 1024 * 1024

let server: GuardedServer
let surfaces: Surfaces
beforeAll(async () => {
  server = await startGuardedServer({ settings: { LOG_LEVEL: 'silent' } })
  const [first = 'GET /', ...routes] = await appRoutes()
  surfaces = { keys: server.keys, routes: [first, ...routes], tokens: server.tokens }
})
afterAll(() => server.close())

interface Answer {
  /** Undefined when the server only closed the socket. */
  status: number | undefined
  /** Head and body. */
  text: string
}

const agent = new Agent({ keepAlive: true, maxSockets: CLIENTS })
afterAll(() => agent.destroy())

function sendRequest({ method, path, headers = {}, body }: RawRequest): Promise<Answer> {
  const framed = body === undefined ? headers : { ...headers, 'content-length': `${Buffer.byteLength(body)}` }
  return new Promise((resolve, reject) => {
    const sending = request(
      { host: '127.0.0.1', port: server.port, method, path, headers: framed, agent },
      (response) => {
        const chunks: Buffer[] = []
        response.on('data', (chunk: Buffer) => chunks.push(chunk))
        response.on('error', reject)
        response.on('end', () => {
          const head = response.rawHeaders.join('\n')
          resolve({
            status: response.statusCode,
            text: `${head}\n\n${Buffer.concat(chunks).toString('latin1')}`,
          })
        })
      },
    )
    sending.on('error', (error: NodeJS.ErrnoException) => {
      // A request that cannot be parsed is rejected before its method is known, so HEAD gets a body, too.
      const refused = method === 'HEAD' && error.code?.startsWith('HPE_')
      if (refused) resolve({ status: undefined, text: '' })
      else reject(new Error(`${method} ${path.slice(0, 300)}`, { cause: error }))
    })
    sending.end(body)
  })
}

/** Resolves when the server answers or closes; the test times out otherwise. */
function sendBytes(bytes: Buffer): Promise<Answer> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = []
    const socket = connect(server.port, '127.0.0.1', () => socket.end(bytes))
    socket.on('data', (chunk: Buffer) => chunks.push(chunk))
    // A reset counts as a response.
    socket.on('error', () => undefined)
    socket.on('close', () => {
      const text = Buffer.concat(chunks).toString('latin1')
      const status = /^HTTP\/1\.1 (\d{3})/.exec(text)?.[1]
      resolve({ status: status === undefined ? undefined : Number(status), text })
    })
  })
}

/** Signs of a stack, of our files, or of Node's modules. */
const LEAK = /node:|\.ts[:"]|\/packages\/|\n\s+at |node_modules|SQLITE|sqlite|ECONN|Error:/

/** The only 5xx in the contract: a malformed value in a History search. */
const MALFORMED_VALUE =
  /\{"error":"code: (?:53, message: Cannot convert string '.*' to type UUID|6, message: Cannot parse string '.*' as IPv4)"\}\n$/s

function problemOf(
  { method, path }: { method?: string; path: string },
  { status, text }: Answer,
): string | undefined {
  // Files that are the same for everybody may contain such words.
  const isFile = status === 200 && /content-type\n(?:text|application\/(?:schema|json)|image)/i.test(text)
  const isPublic = /^\/(?:agent|snippet|docs|openapi|schemas|dashboard|demo|embed|client|$|\?)/.test(path)
  if (!(isFile && isPublic) && LEAK.test(text)) return 'reveals internals'
  for (const secret of [server.keys.api_key, server.keys.secret_key, server.directory])
    if (text.includes(secret)) return 'reveals a secret'
  if (status === undefined || status < 500) return undefined
  const mayFail = /^\/(?:api\/v1\/history|pub)\//.test(path)
  if (status === 500 && mayFail && (method === 'HEAD' || MALFORMED_VALUE.test(text))) return undefined
  return `answers ${status}`
}

async function sendOne(
  random: RandomSource,
  index: number,
): Promise<{ status: number | undefined; problem?: string }> {
  if (index % BROKEN_EVERY === 0) {
    const bytes = brokenBytes(random, server.keys)
    const answer = await sendBytes(bytes)
    const problem = problemOf({ path: '' }, answer)
    return {
      status: answer.status,
      ...(problem && { problem: `${problem}: ${bytes.toString('latin1').slice(0, 400)}` }),
    }
  }
  const sent = malformedRequest(random, surfaces)
  const answer = await sendRequest(sent)
  const problem = problemOf(sent, answer)
  if (!problem) return { status: answer.status }
  const summary = `${sent.method} ${sent.path.slice(0, 300)} ${JSON.stringify(sent.headers).slice(0, 600)}`
  return { status: answer.status, problem: `${problem}: ${summary} ${answer.text.slice(0, 600)}` }
}

/** Sends `count` requests, several at a time, and counts the responses by status. */
async function sendMany(count: number, seed: number, statuses: Map<string, number>): Promise<string[]> {
  const problems: string[] = []
  let next = 0
  const client = async () => {
    while (next < count) {
      const index = next
      next += 1
      // Each request has its own seed, so the order of the clients does not matter.
      const { status, problem } = await sendOne(randomSource(seed + index * 7_919), index)
      const name = String(status ?? 'closed')
      statuses.set(name, (statuses.get(name) ?? 0) + 1)
      if (problem) problems.push(`request ${index} of seed ${seed} ${problem}`)
    }
  }
  await Promise.all(Array.from({ length: CLIENTS }, client))
  return problems
}

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void

/** Memory in use after garbage collection. */
function inUse(): number {
  collect()
  collect()
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}

test(
  `${REQUESTS.toLocaleString('en')} malformed requests over every route of every surface: no crash, no unspecified 5xx, no leak, flat memory (seed ${SEED})`,
  async () => {
    process.stdout.write(`malformed requests: seed ${SEED}\n`)
    const startedAt = performance.now()
    const statuses = new Map<string, number>()
    const problems = await sendMany(REQUESTS / 2, SEED, statuses)
    const half = inUse()
    problems.push(...(await sendMany(REQUESTS / 2, SEED + 1, statuses)))
    const growth = inUse() - half
    const took = performance.now() - startedAt
    const counts = [...statuses].toSorted().map(([status, count]) => `${status}: ${count}`)
    process.stdout.write(
      `${counts.join(', ')}; ${Math.round(took)} ms, growth ${Math.round(growth / 1024)} KB\n`,
    )

    expect(problems).toEqual([])
    expect(growth).toBeLessThan(GROWTH_BYTES_MAX)
    expect(took).toBeLessThan(TIME_MS)
    // The test would prove nothing if every request were rejected early.
    for (const status of ['200', '204', '400', '401', '404', '413', '500'])
      expect(statuses.get(status) ?? 0).toBeGreaterThan(0)

    // The server still works.
    const requestId = randomUUID()
    await identify(server, requestId, ordinaryBody({ user_hid: 'after the storm' }))
    expect((await rowOf(server, requestId)).user_hid).toBe('after the storm')
  },
  2 * TIME_MS,
)
