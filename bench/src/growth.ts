import { parseArgs } from 'node:util'
import { domainStore } from '../../packages/server/src/store/domains/domains.ts'
import { openStore } from '../../packages/server/src/store/open-store.ts'
import { openEngine, readEngineName } from './engine/open-engine.ts'
import { fillPostgres } from './growth/fill-postgres.ts'
import { fillSqlite } from './growth/fill-sqlite.ts'
import type { Piece } from './growth/made-rows.ts'
import { printGrowth, type Stage } from './growth/print-growth.ts'
import { relationSizes } from './growth/relation-sizes.ts'
import { runRound } from './ingest/run-round.ts'
import { awaitEmptyOutbox } from './inkling/await-empty-outbox.ts'
import { openDatabase } from './inkling/open-database.ts'
import { addDomain, addWebhook } from './inkling/start-inkling.ts'
import { startNodes } from './inkling/start-nodes.ts'
import { describeMachine } from './lib/describe-machine.ts'
import { progress } from './lib/progress.ts'
import { saturate } from './load/saturate.ts'
import { visitTemplates } from './load/visit-templates.ts'
import { startReceiver } from './receive/start-receiver.ts'

/** Measures the cost of an identification by number of stored rows, and the bytes that each one takes. */
const { values } = parseArgs({
  options: {
    engine: { type: 'string', default: 'postgres' },
    nodes: { type: 'string', default: '1' },
    /** Numbers of stored rows; each step adds to the one before. */
    rows: { type: 'string', default: '100000,1000000,10000000' },
    /** Identifications that are ingested before rows are generated. */
    real: { type: 'string', default: '20000' },
    /** Duration of the load at each step. */
    seconds: { type: 'string', default: '10' },
  },
})
const seconds = Number(values.seconds)
const steps = values.rows.split(',').map(Number)
const CONCURRENCY = 32
const COMPILE_SECONDS = 5
const DAYS = 80
const DAY_MS = 86_400_000
const PIECE_ROWS = 500_000
const OUTBOX_TIMEOUT_MS = 300_000

const engine = await openEngine({ name: readEngineName(values.engine), nodes: Number(values.nodes) })
const [place] = engine.places
const keys = await addDomain(place, 'bench.example')
const receiver = await startReceiver()
await addWebhook(place, keys.domain, receiver.url)
const database = openDatabase(place)
const store = await openStore(place)
const domainId = (await domainStore(store.reads).find(keys.domain))?.id ?? 0
await store.close()

function piecesOf(rows: number): Piece[] {
  const spanMs = DAYS * DAY_MS
  const whole = { domainId, rows, firstMs: Date.now() - spanMs - DAY_MS, spanMs }
  return Array.from({ length: Math.ceil(rows / PIECE_ROWS) }, (_, index) => ({
    ...whole,
    first: index * PIECE_ROWS,
    last: Math.min(rows, (index + 1) * PIECE_ROWS) - 1,
  }))
}

async function fill(rows: number): Promise<void> {
  const { dataDir, databaseUrl } = place
  if (databaseUrl === undefined) fillSqlite(dataDir, piecesOf(rows))
  else await fillPostgres({ dataDir, databaseUrl }, piecesOf(rows))
}

/**
 * Loads the servers for some time, until the given number is stored with an event each.
 * @returns the measurements of one round, and everything acknowledged
 */
async function load(
  least: number,
  newcomers?: number,
): Promise<Pick<Stage, 'round'> & { acknowledged: number }> {
  const inkling = await startNodes(engine.places)
  const templates = visitTemplates({
    port: inkling.ports[0] ?? 0,
    publicKey: keys.public_key,
    domain: keys.domain,
  })
  const run = { ports: inkling.ports, concurrency: CONCURRENCY, templates, newcomers }
  const warmUp = await saturate({ ...run, seconds: COMPILE_SECONDS })
  const pids = engine.postgres ? [...inkling.pids, engine.postgres.pid()] : inkling.pids
  const round = await runRound(pids, { ...run, seconds })
  let acknowledged = warmUp.acknowledged + round.acknowledged
  while (acknowledged < least) acknowledged += (await saturate({ ...run, seconds })).acknowledged
  await awaitEmptyOutbox(database, OUTBOX_TIMEOUT_MS)
  await inkling.stop()
  return { round, acknowledged }
}

// Measured on real identifications, before rows are generated: each has a device, a snapshot and an event.
const real = await load(Number(values.real), 1)
const realSizes = await relationSizes(place)
progress(`${real.acknowledged} real identifications stored`)
const stages: Stage[] = []
let stored = real.acknowledged
for (const rows of steps) {
  const startedAt = performance.now()
  await fill(Math.max(1, rows - stored))
  progress(
    `${rows.toLocaleString('en')} rows after ${((performance.now() - startedAt) / 1_000).toFixed(0)} s`,
  )
  const loaded = await load(0)
  stored = Math.max(rows, stored) + loaded.acknowledged
  stages.push({ rows, round: loaded.round, sizes: await relationSizes(place) })
  progress(`${loaded.round.perSecond.toFixed(0)}/s`)
}
await database.close()
receiver.close()
await engine.stop()
const good = printGrowth({
  machine: describeMachine(),
  engine: engine.name,
  nodes: engine.places.length,
  real: { rows: real.acknowledged, round: real.round, sizes: realSizes },
  stages,
})
process.exit(good ? 0 : 1)
