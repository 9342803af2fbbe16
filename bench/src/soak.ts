import { parseArgs } from 'node:util'
import { openEngine } from './engine/open-engine.ts'
import { awaitEmptyOutbox } from './inkling/await-empty-outbox.ts'
import { openDatabase } from './inkling/open-database.ts'
import { addDomain, addWebhook } from './inkling/start-inkling.ts'
import { startNodes } from './inkling/start-nodes.ts'
import { describeMachine } from './lib/describe-machine.ts'
import { progress } from './lib/progress.ts'
import { saturate } from './load/saturate.ts'
import { visitTemplates } from './load/visit-templates.ts'
import { startReceiver } from './receive/start-receiver.ts'
import { printTrends } from './soak/print-trends.ts'
import { sampleWindows } from './soak/sample-windows.ts'

/** A long, constant load below capacity: memory and latency must not grow. */
const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '15' },
    /** Share of the capacity that a full load measured. */
    share: { type: 'string', default: '0.7' },
    nodes: { type: 'string', default: '1' },
    postgres: { type: 'boolean', default: false },
    /** URL of an empty database on a running PostgreSQL; without it one is started. */
    'database-url': { type: 'string' },
  },
})
const minutes = Number(values.minutes)
const databaseUrl = values['database-url']
const CONCURRENCY = 32
/**
 * Visits are counted for the overview 105 seconds after they arrive, so a rate measured before that is not
 * sustainable.
 */
const SETTLE_SECONDS = 120
const CALIBRATION_SECONDS = 30
const WINDOWS = 30
const OUTBOX_TIMEOUT_MS = 300_000

const engine = await openEngine({
  name: values.postgres || databaseUrl !== undefined ? 'postgres' : 'sqlite',
  nodes: Number(values.nodes),
  databaseUrl,
})
const [place] = engine.places
const receiver = await startReceiver()
const keys = await addDomain(place, 'bench.example')
await addWebhook(place, keys.domain, receiver.url)
const inkling = await startNodes(engine.places)
const database = openDatabase(place)
const load = {
  ports: inkling.ports,
  concurrency: CONCURRENCY,
  templates: visitTemplates({
    port: inkling.ports[0] ?? 0,
    publicKey: keys.public_key,
    domain: keys.domain,
  }),
}

const warmUp = await saturate({ ...load, seconds: SETTLE_SECONDS })
const full = await saturate({ ...load, seconds: CALIBRATION_SECONDS })
const perSecond = Math.floor(full.perSecond * Number(values.share))
progress(`capacity ${full.perSecond.toFixed(0)}/s with an event for each; ${perSecond}/s from now on`)
await awaitEmptyOutbox(database, OUTBOX_TIMEOUT_MS)

const soaked = await sampleWindows(
  {
    ...load,
    perSecond,
    seconds: minutes * 60,
    windows: WINDOWS,
    serverPids: inkling.pids,
    databasePid: engine.postgres?.pid(),
  },
  ({ minute, p50Ms, p99Ms, serverMb }) =>
    progress(
      `minute ${minute.toFixed(1)}: p50 ${p50Ms.toFixed(1)} ms, p99 ${p99Ms.toFixed(1)} ms, ${serverMb.toFixed(0)} MB`,
    ),
)
const drainedAfterMs = await awaitEmptyOutbox(database, OUTBOX_TIMEOUT_MS)
const acknowledged = warmUp.acknowledged + full.acknowledged + soaked.acknowledged
const rows = await database.count('identifications')
const events = (await receiver.arrivals()).size
await database.close()
await inkling.stop()
await engine.stop()
receiver.close()

const good = printTrends({
  machine: describeMachine(),
  engine: engine.name,
  nodes: engine.places.length,
  minutes,
  capacityPerSecond: full.perSecond,
  perSecond,
  drainedAfterMs,
  acknowledged,
  failed: warmUp.failed + full.failed + soaked.failed,
  rows,
  events,
  windows: soaked.windows,
})
process.exit(good ? 0 : 1)
