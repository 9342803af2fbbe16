import { randomUUID } from 'node:crypto'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { Agent, request } from 'node:https'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { selfSignedCertificate } from '../../packages/server/test/self-signed-certificate.ts'
import { addDomain, type DomainKeys, startInkling } from './inkling/start-inkling.ts'
import { startNode } from './lib/child.ts'
import { describeMachine } from './lib/describe-machine.ts'
import { processUsage } from './lib/process-usage.ts'
import { progress } from './lib/progress.ts'
import { summarize } from './lib/samples.ts'
import { scratchFolder } from './lib/scratch.ts'

/**
 * Attacks a server with hostile connections, and measures its memory and how long honest visits wait meanwhile. A run
 * fails when memory or the honest visits go beyond the promise of `docs/security.md`.
 */
const { values } = parseArgs({
  options: {
    /** For each attack; the limits that close connections work within thirty. */
    seconds: { type: 'string', default: '45' },
    connections: { type: 'string', default: '200' },
    only: { type: 'string' },
  },
})
const seconds = Number(values.seconds)

const ATTACKS = {
  none: 'no attack',
  window: 'HTTP/2 with an empty window, 100 streams each',
  unread: 'HTTP/1.1, large answers that are never read',
  channels: 'follow-up channels with made-up request IDs, and messages that never end',
}
const MEMORY_MB_MAX = 512
const P99_MS_MAX = 250
const VISITS_PER_SECOND = 20
const SAMPLE_MS = 100

const folder = scratchFolder()
const { cert, key } = await selfSignedCertificate()
const files = { TLS_CERT: join(folder, 'cert.pem'), TLS_KEY: join(folder, 'key.pem') }
writeFileSync(files.TLS_CERT, cert)
writeFileSync(files.TLS_KEY, key)
const BODIES = new URL('../bodies/', import.meta.url)
const [bodyFile = ''] = readdirSync(BODIES).sort()
const body = readFileSync(new URL(bodyFile, BODIES))

const rows: {
  name: string
  before: number
  peak: number
  visits: ReturnType<typeof summarize>
  failed: number
}[] = []
for (const [attack, name] of Object.entries(ATTACKS)) {
  if (values.only !== undefined && values.only !== attack) continue
  progress(name)
  rows.push({ name, ...(await measure(attack)) })
}

process.stdout.write(`${describeMachine()}\n${values.connections} hostile connections, ${seconds} s each\n\n`)
process.stdout.write(
  '| attack | memory before | at most | honest visits | failed | p50 | p99 |\n|---|---|---|---|---|---|---|\n',
)
for (const { name, before, peak, visits, failed } of rows)
  process.stdout.write(
    `| ${name} | ${before.toFixed(0)} MB | ${peak.toFixed(0)} MB | ${visits.count} | ${failed} | ${visits.p50.toFixed(1)} ms | ${visits.p99.toFixed(1)} ms |\n`,
  )
const isKept = rows.every(
  ({ peak, visits, failed }) => peak < MEMORY_MB_MAX && visits.p99 < P99_MS_MAX && failed === 0,
)
process.exitCode = isKept ? 0 : 1

async function measure(attack: string) {
  const place = { dataDir: join(folder, attack) }
  const keys = await addDomain(place, 'bench.example')
  const settings = { ...files, TRUST_PROXY: '' }
  const server = await startInkling(place, { settings })
  const memory = async (): Promise<number> => (await processUsage(server.pid))?.memoryMb ?? Number.NaN
  await sendVisits(server.port, keys, 3)
  const before = await memory()
  const clients =
    attack === 'none'
      ? undefined
      : await startNode(
          [
            new URL('./attacks/hostile-clients.ts', import.meta.url).pathname,
            ...[attack, String(server.port), keys.public_key, values.connections],
          ],
          /^attacking/,
        )
  let peak = before
  const sampling = setInterval(async () => {
    peak = Math.max(peak, await memory())
  }, SAMPLE_MS)
  const honest = await sendVisits(server.port, keys, seconds)
  clearInterval(sampling)
  await clients?.stop()
  await server.stop()
  return { before, peak, ...honest }
}

/** Honest visits at a steady rate from another address than the attack's. */
async function sendVisits(port: number, keys: DomainKeys, lastingSeconds: number) {
  const agent = new Agent({ keepAlive: true, rejectUnauthorized: false })
  const samples: number[] = []
  let failed = 0
  const sent: Promise<void>[] = []
  for (let count = 0; count < lastingSeconds * VISITS_PER_SECOND; count += 1) {
    sent.push(
      sendVisit(port, keys, agent).then(
        (tookMs) => void samples.push(tookMs),
        (error: unknown) => {
          if (failed === 0) progress(`an honest visit failed: ${error}`)
          failed += 1
        },
      ),
    )
    await new Promise((resolve) => setTimeout(resolve, 1_000 / VISITS_PER_SECOND))
  }
  await Promise.all(sent)
  agent.destroy()
  return { visits: summarize(samples), failed }
}

function sendVisit(port: number, { domain, public_key }: DomainKeys, agent: Agent): Promise<number> {
  const startedAt = performance.now()
  const options = {
    ...{ host: '127.0.0.1', port, agent, method: 'POST', timeout: 10_000 },
    path: `/snapshot/${randomUUID()}?publicKey=${public_key}`,
    headers: { origin: `https://${domain}`, 'content-length': body.length },
  }
  return new Promise((resolve, reject) => {
    const sending = request(options, (response) => {
      response.resume()
      if (response.statusCode !== 200) reject(new Error(`status ${response.statusCode}`))
      else response.once('end', () => resolve(performance.now() - startedAt))
    })
    sending.once('timeout', () => sending.destroy(new Error('no answer')))
    sending.once('error', reject)
    sending.end(body)
  })
}
