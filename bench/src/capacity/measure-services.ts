import { readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { Client } from 'pg'
import { openEngine, readEngineName } from '../engine/open-engine.ts'
import { addDomain, addWebhook } from '../inkling/start-inkling.ts'
import { startNodes } from '../inkling/start-nodes.ts'
import { describeMachine } from '../lib/describe-machine.ts'
import { freePort } from '../lib/free-port.ts'
import { processorMs } from '../lib/process-usage.ts'
import { summarize } from '../lib/samples.ts'
import { holdRate } from '../load/hold-rate.ts'
import { saturate } from '../load/saturate.ts'
import { visitTemplates } from '../load/visit-templates.ts'
import { startReceiver } from '../receive/start-receiver.ts'
import { measureTurn } from './measure-turn.ts'
import { metricsOf } from './read-metrics.ts'

/**
 * Measures what the simulation of a day runs on: the processor time of the node and of the database apart, and how long
 * a commit takes by the number of visits in it. Each rate is held for some time; then follows full load.
 */
const { values } = parseArgs({
  options: {
    engine: { type: 'string', default: 'postgres' },
    /** An empty database of a running server; the processes of its machines by `--database-pid`. */
    'database-url': { type: 'string' },
    'database-pid': { type: 'string', multiple: true, default: [] },
    /** Visits a second. */
    rates: { type: 'string', default: '20,60,150' },
    seconds: { type: 'string', default: '8' },
    /** Connections at full load. */
    concurrency: { type: 'string', default: '32' },
    /** Sends an event for each visit. */
    events: { type: 'boolean', default: false },
  },
})
const WARM_UP_SECONDS = 4
const LANES = 64
const seconds = Number(values.seconds)

const databaseUrl = values['database-url']
const engine = await openEngine({ name: readEngineName(values.engine), nodes: 1, databaseUrl })
const [place] = engine.places
const { domain, public_key } = await addDomain(place, 'bench.example')
const receiver = await startReceiver()
if (values.events) await addWebhook(place, domain, receiver.url)
const metricsPort = await freePort()
const inkling = await startNodes([place], { settings: { METRICS_PORT: String(metricsPort) } })
const templates = visitTemplates({ port: inkling.ports[0] ?? 0, publicKey: public_key, domain })
const databasePids = engine.postgres ? [engine.postgres.pid()] : values['database-pid'].map(Number)
const load = { ports: inkling.ports, templates, concurrency: Number(values.concurrency), seconds }

/** Bytes that a process read and wrote, sockets included. */
async function readAndWritten(pid: number): Promise<{ read: number; written: number }> {
  const text = await readFile(`/proc/${pid}/io`, 'utf8')
  const of = (name: string): number => Number(new RegExp(`^${name}: (\\d+)$`, 'm').exec(text)?.[1])
  return { read: of('rchar'), written: of('wchar') }
}

/** Position in the write-ahead log, in bytes; of a cluster that of the coordinator only. */
async function logBytes(): Promise<number> {
  if (place.databaseUrl === undefined) return Number.NaN
  const client = new Client({ connectionString: place.databaseUrl })
  await client.connect()
  const { rows } = await client.query<{ bytes: string }>("select pg_current_wal_lsn() - '0/0' as bytes")
  await client.end()
  return Number(rows[0]?.bytes)
}

/** @returns how long each visit took until its acknowledgment, in ms */
async function atRate(perSecond: number): Promise<number[]> {
  const latenciesMs: number[] = []
  const answered = (status: number, latencyMs: number): void => {
    if (status !== 200) throw new Error(`the server answered ${status}`)
    latenciesMs.push(latencyMs)
  }
  await holdRate({ ...load, concurrency: LANES, perSecond, answered })
  return latenciesMs
}

const processorTimes = async () => ({
  nodeMs: (await processorMs(inkling.pids)) ?? Number.NaN,
  databasesMs: await Promise.all(databasePids.map(async (pid) => (await processorMs([pid])) ?? Number.NaN)),
})

interface Times {
  databasesMs: readonly number[]
}

/** The machines of a cluster in the order of their options. */
const databasesOf = (before: Times, after: Times, show: (ms: number) => string): string =>
  after.databasesMs.map((ms, index) => show(ms - (before.databasesMs[index] ?? Number.NaN))).join(' + ')

/** What the jobs and the polls of a node take while nobody visits. */
async function measureIdle(): Promise<string> {
  const before = await processorTimes()
  await sleep(seconds * 1_000)
  const after = await processorTimes()
  const each = (ms: number): string => (ms / seconds).toFixed(0)
  return `Without visits: node ${each(after.nodeMs - before.nodeMs)}, databases ${databasesOf(before, after, each)} ms of processor a second`
}

async function measure(name: string, run: () => Promise<number[]>): Promise<void> {
  const read = async () => ({
    ...(await processorTimes()),
    commits: await metricsOf(metricsPort),
    io: await readAndWritten(inkling.pids[0] ?? 0),
    logBytes: await logBytes(),
  })
  const before = await read()
  const latenciesMs = await run()
  const after = await read()
  const visits = latenciesMs.length
  const commits = after.commits.count - before.commits.count
  const each = (ms: number): string => ((ms * 1_000) / visits).toFixed(0)
  const kilobytes = (bytes: number): string =>
    Number.isNaN(bytes) ? '' : (bytes / visits / 1_000).toFixed(1)
  const { p50, p99 } = summarize(latenciesMs)
  const cells = [
    name,
    `${(visits / seconds).toFixed(0)}/s`,
    each(after.nodeMs - before.nodeMs),
    databasesOf(before, after, each),
    (visits / commits).toFixed(1),
    (((after.commits.seconds - before.commits.seconds) * 1_000) / commits).toFixed(1),
    p50.toFixed(1),
    p99.toFixed(1),
    kilobytes(after.io.read - before.io.read),
    kilobytes(after.io.written - before.io.written),
    kilobytes(after.logBytes - before.logBytes),
  ]
  console.log(`| ${cells.join(' | ')} |`)
}

await saturate({ ...load, seconds: WARM_UP_SECONDS })
console.log(`${describeMachine()}; ${engine.name}${databaseUrl === undefined ? '' : ' of a URL'}\n`)
console.log(
  '| load | rate | node, µs each | database, µs each | visits a commit | commit, ms | p50, ms | p99, ms | node reads, kB each | node writes, kB each | log, kB each |',
)
console.log('|---|---|---|---|---|---|---|---|---|---|---|')
for (const rate of values.rates.split(',').map(Number)) await measure('steady', () => atRate(rate))
await measure('full', async () => (await saturate(load)).latenciesMs)
console.log(`\n${await measureIdle()}`)
if (place.databaseUrl !== undefined) {
  const { p50, p99 } = await measureTurn(place.databaseUrl)
  console.log(`A commit holds the row of its domain for ${p50.toFixed(2)} ms (p50), ${p99.toFixed(2)} (p99)`)
}
await inkling.stop()
receiver.close()
await engine.stop()
