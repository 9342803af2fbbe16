import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { askAtOnce, rowsOfAddress, visitInTurn } from './cluster/check-limits.ts'
import { killing, running } from './cluster/database-outages.ts'
import { openCluster } from './cluster/open-cluster.ts'
import { printVerdict } from './cluster/print-verdict.ts'
import { runOutages } from './cluster/run-outages.ts'
import { openEngine } from './engine/open-engine.ts'
import { awaitEmptyOutbox } from './inkling/await-empty-outbox.ts'
import { findRow } from './inkling/find-row.ts'
import { openDatabase } from './inkling/open-database.ts'
import { addDomain, addWebhook } from './inkling/start-inkling.ts'
import { judge } from './kill/judge.ts'
import { describeMachine } from './lib/describe-machine.ts'
import { progress } from './lib/progress.ts'
import { seededRandom } from './lib/seeded-random.ts'
import { keepLoading } from './load/keep-loading.ts'
import { visitTemplates } from './load/visit-templates.ts'
import { openReceiver } from './receive/open-receiver.ts'

/**
 * Kills each of several nodes on one database under load, and PostgreSQL itself or what the given commands stop of a
 * cluster. Nothing acknowledged may be lost.
 */
const { values } = parseArgs({
  options: {
    nodes: { type: 'string', default: '3' },
    /** Duration of the load. */
    seconds: { type: 'string', default: '120' },
    /** Number of kills per node. */
    rounds: { type: 'string', default: '2' },
    /** Connections to each node. */
    concurrency: { type: 'string', default: '8' },
    /** URL of an empty database, which may be distributed with Citus; without it a PostgreSQL is started. */
    'database-url': { type: 'string' },
    /** With a URL: a command of the shell to run under load, which ends when all works again. */
    outage: { type: 'string', multiple: true, default: [] },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
  },
})
const nodes = Number(values.nodes)
const seconds = Number(values.seconds)
const random = seededRandom(Number(values.seed))

const OUTBOX_TIMEOUT_MS = 300_000
const SPOT_CHECKS = 60
/** Default limits; each visit of the load has its own address. */
const VISITS_PER_MINUTE = 60
const HISTORY_PER_SECOND = 15
const SPOT_PAUSE_MS = 1_500 / HISTORY_PER_SECOND

const engine = await openEngine({ name: 'postgres', nodes, databaseUrl: values['database-url'] })
const { postgres } = engine
const [place] = engine.places
if (place.databaseUrl === undefined) throw new Error('there is no PostgreSQL')
const receiver = await openReceiver()
const keys = await addDomain(place, 'bench.example')
await addWebhook(place, keys.domain, receiver.url)
const database = openDatabase(place)
const volume = await database.remaining()
const cluster = await openCluster(engine.places, {
  settings: {
    INGEST_LIMIT_PER_MINUTE: String(VISITS_PER_MINUTE),
    HISTORY_LIMIT_PER_SECOND: String(HISTORY_PER_SECOND),
    // The warnings of the nodes are expected here.
    LOG_LEVEL: 'error',
  },
})
const { ports } = cluster
progress(`${nodes} nodes are ready; seed ${values.seed}`)
const templates = visitTemplates({ port: ports[0] ?? 0, publicKey: keys.public_key, domain: keys.domain })

const acknowledged = new Set<string>()
const load = keepLoading({
  ports,
  templates,
  lanes: Number(values.concurrency),
  acknowledged: (requestId) => void acknowledged.add(requestId),
})
const outages = await runOutages(cluster, {
  seconds,
  rounds: Number(values.rounds),
  others: postgres ? [killing(postgres)] : values.outage.map(running),
  random,
})
const gone = cluster.gone()
// These count as faults; the other checks still run.
for (const node of gone) outages.push(await cluster.killNode(node - 1))
const answers = await load.stop()
const leftInOutbox = await database.count('outbox')
progress(`${acknowledged.size} acknowledged; ${leftInOutbox} events are left in the outbox`)
const drainedAfterMs = await awaitEmptyOutbox(database, OUTBOX_TIMEOUT_MS)

const judgement = await judge(acknowledged, receiver.arrivals, outages, database)
const spent = volume - (await database.remaining())
const candidates = [...acknowledged]
let notInHistory = 0
for (let check = 0; check < Math.min(SPOT_CHECKS, candidates.length); check++) {
  const requestId = candidates[Math.floor(random() * candidates.length)] ?? ''
  if ((await findRow(ports[check % nodes] ?? 0, keys.api_key, requestId)) !== 1) notInHistory += 1
  await sleep(SPOT_PAUSE_MS)
}

progress('limits')
await visitInTurn(ports, templates, VISITS_PER_MINUTE * 2)
await cluster.killNode(0)
await visitInTurn(ports, templates, nodes)
const limited = await rowsOfAddress(place.databaseUrl)
const asked = await askAtOnce(ports, keys.api_key, HISTORY_PER_SECOND * nodes)
await database.close()
await cluster.stop()
await engine.stop()
receiver.close()

/** Each window that the requests fall into allows this many. */
const mayAnswer = HISTORY_PER_SECOND * (Math.floor(asked.seconds) + 1)
process.exit(
  printVerdict({
    machine: describeMachine(),
    seed: Number(values.seed),
    nodes,
    seconds,
    outages: outages.length,
    ...judgement,
    ...answers,
    leftInOutbox,
    drainedAfterMs: Math.round(drainedAfterMs),
    spent,
    limited,
    asked,
    faults: {
      ...judgement.faults,
      notInHistory,
      nodesGone: gone.length,
      otherAnswers: Object.values(answers.other).reduce((sum, count) => sum + count, 0),
      volumeWrong: Math.abs(spent - judgement.rows),
      visitsOverLimit: Math.abs(limited.scored - VISITS_PER_MINUTE) + Math.abs(limited.markers - 1),
      historyOverLimit: Math.max(0, asked.allowed - mayAnswer),
    },
  })
    ? 0
    : 1,
)
