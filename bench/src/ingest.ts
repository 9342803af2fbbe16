import { parseArgs } from 'node:util'
import { ceilingVariants } from './ceiling/ceiling-variants.ts'
import { pickCeiling } from './ceiling/pick-ceiling.ts'
import { openEngine, readEngineName } from './engine/open-engine.ts'
import { countsAgree, printReport, type Report, type RowCount } from './ingest/print-report.ts'
import { type Round, runRound } from './ingest/run-round.ts'
import { saturateWithWebhooks } from './ingest/saturate-with-webhooks.ts'
import { timeToRow } from './ingest/time-to-row.ts'
import { timeToWebhook } from './ingest/time-to-webhook.ts'
import { openDatabase } from './inkling/open-database.ts'
import { addDomain, addWebhook } from './inkling/start-inkling.ts'
import { startNodes } from './inkling/start-nodes.ts'
import { describeMachine } from './lib/describe-machine.ts'
import { pin } from './lib/pin.ts'
import { processUsage } from './lib/process-usage.ts'
import { progress } from './lib/progress.ts'
import { saturate } from './load/saturate.ts'
import { visitTemplates } from './load/visit-templates.ts'
import { startReceiver } from './receive/start-receiver.ts'

/**
 * Measures the ingest rate of Inkling, next to a ceiling: a server on the same machine that only stores
 * the bytes.
 */
const { values } = parseArgs({
  options: {
    /** Many short rounds, so that other load on the machine affects both servers equally. */
    seconds: { type: 'string', default: '5' },
    rounds: { type: 'string', default: '9' },
    concurrency: { type: 'string', default: '32' },
    /** Share of first visits; 1 is the heaviest load for devices. */
    newcomers: { type: 'string', default: '0.1' },
    /** Folder for CPU profiles of the server's threads. */
    profile: { type: 'string' },
    engine: { type: 'string', default: 'sqlite' },
    /** Number of nodes that share one PostgreSQL and the load. */
    nodes: { type: 'string', default: '1' },
    /** Keeps the servers and the database to so many cores, and leaves all to the load. */
    cores: { type: 'string' },
  },
})
const seconds = Number(values.seconds)
const rounds = Number(values.rounds)
const concurrency = Number(values.concurrency)
const newcomers = Number(values.newcomers)
const COMPILE_SECONDS = 3
/** Rates far below the ceiling need less time for the same precision. */
const steadySeconds = Math.min(10, seconds * 2)

const engine = await openEngine({ name: readEngineName(values.engine), nodes: Number(values.nodes) })
const [place] = engine.places
const databasePids = engine.postgres ? [engine.postgres.pid()] : []
const choice = await pickCeiling(ceilingVariants(engine), concurrency)
const ceiling = await choice.variant.start('ceiling')

const quiet = await addDomain(place, 'bench.example')
const loud = await addDomain(place, 'events.example')
const receiver = await startReceiver()
await addWebhook(place, loud.domain, receiver.url)
const inkling = await startNodes(engine.places, {
  nodeOptions: values.profile === undefined ? [] : ['--cpu-prof', '--cpu-prof-dir', values.profile],
})
const database = openDatabase(place)
const port = inkling.ports[0] ?? 0
const lastPort = inkling.ports.at(-1) ?? 0
const visitsTo = ({ domain, public_key }: typeof quiet) =>
  visitTemplates({ port, publicKey: public_key, domain })

const ceilingLoad = { concurrency, newcomers, ports: ceiling.ports, templates: visitsTo(quiet) }
const inklingLoad = { concurrency, newcomers, ports: inkling.ports, templates: visitsTo(quiet) }
const ceilingPids = [...ceiling.pids, ...databasePids]
const inklingPids = [...inkling.pids, ...databasePids]
if (values.cores !== undefined)
  await pin([...ceiling.pids, ...inkling.pids, ...databasePids], Number(values.cores))

// Warms both up before the comparison.
const warmUps = {
  ceiling: await saturate({ ...ceilingLoad, seconds: COMPILE_SECONDS }),
  inkling: await saturate({ ...inklingLoad, seconds: COMPILE_SECONDS }),
}
const ceilingRounds: Round[] = []
const inklingRounds: Round[] = []
for (let number = 1; number <= rounds; number++) {
  const peer = await runRound(ceilingPids, { ...ceilingLoad, seconds })
  ceilingRounds.push(peer)
  const own = await runRound(inklingPids, { ...inklingLoad, seconds })
  inklingRounds.push(own)
  progress(
    `round ${number} of ${rounds}: ceiling ${peer.perSecond.toFixed(0)}/s, Inkling ${own.perSecond.toFixed(0)}/s`,
  )
}
await ceiling.stop()

const toRow = await timeToRow(port, lastPort, quiet.api_key, visitsTo(quiet), steadySeconds)
progress('time to row measured')
const toWebhook = await timeToWebhook(port, receiver, visitsTo(loud), steadySeconds)
progress('time to webhook measured')
const withWebhooks = await saturateWithWebhooks(
  inklingPids,
  { ...inklingLoad, seconds: seconds * 2, templates: visitsTo(loud) },
  receiver,
  database,
)
progress('full load with webhooks measured')

const usages = await Promise.all(inkling.pids.map(processUsage))
const peakMemoryMb = Math.max(...usages.map((usage) => usage?.peakMemoryMb ?? Number.NaN))
await inkling.stop()
receiver.close()

const total = (counts: readonly { acknowledged: number }[], more = 0): number =>
  counts.reduce((sum, { acknowledged }) => sum + acknowledged, more)
const rows: Record<'ceiling' | 'inkling', RowCount> = {
  ceiling: { acknowledged: total([warmUps.ceiling, ...ceilingRounds]), found: await ceiling.count() },
  inkling: {
    acknowledged: total([warmUps.inkling, ...inklingRounds, withWebhooks], toRow.sent + toWebhook.sent),
    found: await database.count('identifications'),
  },
}
await database.close()
await engine.stop()

const report: Report = {
  machine:
    describeMachine() + (values.cores === undefined ? '' : `; servers and database on ${values.cores}`),
  engine: engine.name,
  nodes: engine.places.length,
  concurrency,
  newcomers,
  seconds,
  ceiling: { choice: choice.variant.name, perSecond: choice.perSecond, rounds: ceilingRounds },
  inkling: { rounds: inklingRounds, peakMemoryMb: Number.isNaN(peakMemoryMb) ? undefined : peakMemoryMb },
  withWebhooks,
  toRow,
  toWebhook,
  rows,
}
printReport(report)
process.exit(countsAgree(report) ? 0 : 1)
