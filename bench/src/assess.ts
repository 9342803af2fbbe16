import { randomBytes } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { Agent, createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { createAssess } from '../../packages/server/src/assess/assess.ts'
import { ASN_FILE } from '../../packages/server/src/composition/config.ts'
import { readCatalogue } from '../../packages/server/src/enrich/agents/catalogue.ts'
import { createAgents } from '../../packages/server/src/enrich/agents/identify-agent.ts'
import { createKeyDirectories } from '../../packages/server/src/enrich/agents/key-directories.ts'
import { createWebBotAuth } from '../../packages/server/src/enrich/agents/web-bot-auth.ts'
import { openIpDatabase } from '../../packages/server/src/enrich/ip/ip-facts.ts'
import { createJoinKeys } from '../../packages/server/src/ingest/join-keys.ts'
import { agentKey, signedHeaders } from '../../packages/server/test/signed-agent.ts'
import { addDomain, startInkling } from './inkling/start-inkling.ts'
import { describeMachine } from './lib/describe-machine.ts'
import { progress } from './lib/progress.ts'
import { summarize } from './lib/samples.ts'
import { scratchFolder } from './lib/scratch.ts'

/**
 * How long an assessment takes over HTTP, one after the other, of ordinary requests and of signed ones; and how long
 * the check of a signature and an assessment take in the process, with the keys in memory. The ceiling is the same
 * server's `/health`, asked in turns with them.
 */
const { values } = parseArgs({
  options: { requests: { type: 'string', default: '5000' }, tries: { type: 'string', default: '5' } },
})
const count = Number(values.requests)
/** The best of so many counts, on a machine that does other work as well. */
const tries = Number(values.tries)
const GOAL = { assessMs: 5, signatureMs: 1 }

const SITE = 'bench.example'
const key = agentKey()
const keys = JSON.stringify({ keys: [key.jwk] })
const directory = createServer((_request, response) => response.end(keys))
await new Promise<void>((resolve) => directory.listen(0, '127.0.0.1', resolve))
const origin = `http://127.0.0.1:${(directory.address() as AddressInfo).port}`
const signed = () => signedHeaders({ key, authority: SITE, agent: `"${origin}"`, path: '/cart' })

const folder = scratchFolder()
const own = { id: 'bench', name: 'Bench', operator: 'Bench', category: 'tool', directories: [origin] }
writeFileSync(join(folder, 'agents.json'), JSON.stringify([own]))
const place = { dataDir: join(folder, 'data') }
const { api_key: apiKey } = await addDomain(place, SITE)
const server = await startInkling(place, {
  settings: { AGENTS: join(folder, 'agents.json'), ASSESS_LIMIT_PER_SECOND: '1000000' },
})
const agent = new Agent({ keepAlive: true, maxSockets: 1 })

const BROWSER: [string, string][] = [
  ['Host', SITE],
  [
    'User-Agent',
    'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36',
  ],
  ['Accept', 'text/html'],
  ['Sec-Fetch-Site', 'none'],
  ['Sec-Fetch-Mode', 'navigate'],
  ['Sec-Fetch-Dest', 'document'],
  ['Accept-Encoding', 'gzip, deflate, br'],
  ['Accept-Language', 'de-DE,de;q=0.9'],
]
const bodyOf = (extra: Record<string, string>, index: number): string =>
  JSON.stringify({
    method: 'GET',
    url: `https://${SITE}/cart`,
    address: `91.${index % 200}.${(index >> 3) % 250}.7`,
    http_version: '1.1',
    headers: [...BROWSER, ...Object.entries(extra)],
  })

function ask(body: string | undefined): Promise<string> {
  const headers = { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' }
  const path = body === undefined ? '/health' : '/api/v1/assess'
  return new Promise((resolve, reject) => {
    const sending = request(
      {
        host: '127.0.0.1',
        port: server.port,
        path,
        method: body === undefined ? 'GET' : 'POST',
        agent,
        headers,
      },
      (response) => {
        let text = ''
        response.on('data', (chunk: Buffer) => {
          text += chunk.toString()
        })
        response.on('end', () => (response.statusCode === 200 ? resolve(text) : reject(new Error(text))))
      },
    )
    sending.on('error', reject)
    sending.end(body)
  })
}

interface Kind {
  name: string
  bodies: (string | undefined)[]
}

/** In turns, so that all kinds have the same share of what else the machine does. */
async function measure(kinds: readonly Kind[]) {
  for (let index = 0; index < 500; index += 1)
    for (const { bodies } of kinds) await ask(bodies[index % count])
  const measured = kinds.map(({ name }) => ({ name, samples: [] as number[], last: '' }))
  for (let index = 0; index < count; index += 1)
    for (const [at, { bodies }] of kinds.entries()) {
      const of = measured[at]
      let best = Infinity
      for (let time = 0; time < tries; time += 1) {
        const startedMs = performance.now()
        const answer = await ask(bodies[index])
        best = Math.min(best, performance.now() - startedMs)
        if (of) of.last = answer
      }
      of?.samples.push(best)
    }
  return measured.map(({ name, samples, last }) => ({ name, last, ...summarize(samples) }))
}

const each = <Made>(make: (index: number) => Made): Made[] =>
  Array.from({ length: count }, (_, index) => make(index))
progress('over HTTP')
const overHttp = await measure([
  { name: 'GET /health, the ceiling', bodies: each(() => undefined) },
  { name: 'assess, a browser', bodies: each((index) => bodyOf({}, index)) },
  { name: 'assess, a signed agent', bodies: each((index) => bodyOf(signed(), index)) },
])
const [, ordinary, signedAgents] = overHttp
if (!ordinary || !signedAgents) throw new Error('not measured')
if (JSON.parse(signedAgents.last).agent.identity !== 'verified')
  throw new Error(`not verified: ${signedAgents.last}`)
await server.stop()
agent.destroy()

progress('signatures in the process')
const isKnown = () => true
const directories = createKeyDirectories({
  fetch: () => Promise.resolve({ status: 200, body: Buffer.from(keys), cacheControl: '' }),
  isKnown,
})
const check = createWebBotAuth({ directories, isKnown })
const requests = each(() => ({
  method: 'GET',
  scheme: 'https' as const,
  authorities: [SITE],
  targets: ['/cart'],
  headers: Object.entries(signed()),
}))
directories.lookUp(origin)
await directories.settled(origin)
function cost(name: string, run: (index: number) => void) {
  const samples = each((index) => {
    let best = Infinity
    for (let time = 0; time < tries; time += 1) {
      const startedMs = performance.now()
      run(index)
      best = Math.min(best, performance.now() - startedMs)
    }
    return best
  })
  return { name, ...summarize(samples.slice(Math.min(500, count / 2))) }
}
const signature = cost('signature, keys in memory in the process', (index) => {
  const sent = requests[index]
  const by = { address: '91.10.0.7', use: 'GET /cart', atMs: Date.now() }
  if (!sent || check(sent, by)?.state !== 'valid') throw new Error('not valid')
})

const agents = createAgents({
  catalogue: await readCatalogue('public'),
  checkSignature: check,
  directories,
  proveAddress: () => undefined,
  settleAddress: () => Promise.resolve(),
})
const assess = createAssess({
  lookUpIp: openIpDatabase({ asnFile: ASN_FILE }).lookUp,
  verifyCrawler: () => undefined,
  identifyAgent: agents.identify,
  agentCheck: agents.settled,
  findPage: () => Promise.resolve(null),
  joinKey: createJoinKeys(randomBytes(32), Date.now).seal,
  now: Date.now,
  monotonicMs: () => performance.now(),
})
const domain = { id: 1, name: SITE, namespace: SITE, agentRules: [], ownRules: undefined }
const bodies = each((index) => JSON.parse(bodyOf(signed(), index)))
const inProcess = cost('assess, a signed agent in the process', (index) => void assess(bodies[index], domain))
directory.close()

process.stdout.write(
  `${describeMachine()}\n${count} each, one after the other, the best of ${tries}\n\n| | p50 | p99 | max |\n|---|---|---|---|\n`,
)
for (const { name, p50, p99, max } of [...overHttp, signature, inProcess])
  process.stdout.write(`| ${name} | ${p50.toFixed(2)} ms | ${p99.toFixed(2)} ms | ${max.toFixed(1)} ms |\n`)
const isKept = Math.max(ordinary.p99, signedAgents.p99) < GOAL.assessMs && signature.p99 < GOAL.signatureMs
process.exitCode = isKept ? 0 : 1
