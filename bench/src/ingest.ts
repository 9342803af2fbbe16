import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { countCeilingRows } from './ceiling/ceiling-table.ts'
import { pickCeiling } from './ceiling/pick-ceiling.ts'
import { startCeiling } from './ceiling/start-ceiling.ts'
import { countsAgree, printReport, type Report, type RowCount } from './ingest/print-report.ts'
import { type Round, runRound } from './ingest/run-round.ts'
import { saturateWithWebhooks } from './ingest/saturate-with-webhooks.ts'
import { timeToRow } from './ingest/time-to-row.ts'
import { timeToWebhook } from './ingest/time-to-webhook.ts'
import { openDatabase } from './inkling/open-database.ts'
import { addDomain, addWebhook, startInkling } from './inkling/start-inkling.ts'
import { describeMachine } from './lib/describe-machine.ts'
import { processUsage } from './lib/process-usage.ts'
import { progress } from './lib/progress.ts'
import { scratchFolder } from './lib/scratch.ts'
import { saturate } from './load/saturate.ts'
import { visitTemplates } from './load/visit-templates.ts'
import { startReceiver } from './receive/start-receiver.ts'

/** How fast Inkling takes identifications in, beside what the same machine reaches without the work. */
const { values } = parseArgs({
  options: {
    /** Short rounds and many of them: both servers then get the same share of whatever else runs here. */
    seconds: { type: 'string', default: '5' },
    rounds: { type: 'string', default: '9' },
    concurrency: { type: 'string', default: '32' },
    /** Folder for processor profiles of the server's threads. */
    profile: { type: 'string' },
  },
})
const seconds = Number(values.seconds)
const rounds = Number(values.rounds)
const concurrency = Number(values.concurrency)
const COMPILE_SECONDS = 3
/** Rates far below the ceiling need less time for the same certainty. */
const steadySeconds = Math.min(10, seconds * 2)

const folder = scratchFolder()
const ceilingFile = join(folder, 'ceiling.db')
const choice = await pickCeiling(folder, concurrency)
const ceiling = await startCeiling(ceilingFile, choice.thread)

const quiet = await addDomain(folder, 'bench.example')
const loud = await addDomain(folder, 'events.example')
const receiver = await startReceiver()
await addWebhook(folder, loud.domain, receiver.url)
const inkling = await startInkling(
  folder,
  values.profile === undefined ? [] : ['--cpu-prof', '--cpu-prof-dir', values.profile],
)
const database = openDatabase(folder)
const visitsTo = ({ domain, public_key }: typeof quiet) =>
  visitTemplates({ port: inkling.port, publicKey: public_key, domain })

const ceilingLoad = {
  concurrency,
  port: ceiling.port,
  templates: visitTemplates({ port: ceiling.port, publicKey: quiet.public_key, domain: quiet.domain }),
}
const inklingLoad = { concurrency, port: inkling.port, templates: visitsTo(quiet) }

// Both are compiled before they are compared.
const warmUps = {
  ceiling: await saturate({ ...ceilingLoad, seconds: COMPILE_SECONDS }),
  inkling: await saturate({ ...inklingLoad, seconds: COMPILE_SECONDS }),
}
const ceilingRounds: Round[] = []
const inklingRounds: Round[] = []
for (let number = 1; number <= rounds; number++) {
  const peer = await runRound(ceiling.pid, { ...ceilingLoad, seconds })
  ceilingRounds.push(peer)
  const own = await runRound(inkling.pid, { ...inklingLoad, seconds })
  inklingRounds.push(own)
  progress(
    `round ${number} of ${rounds}: ceiling ${peer.perSecond.toFixed(0)}/s, Inkling ${own.perSecond.toFixed(0)}/s`,
  )
}
await ceiling.stop()

const toRow = await timeToRow(inkling.port, quiet.api_key, visitsTo(quiet), steadySeconds)
progress('time to row measured')
const toWebhook = await timeToWebhook(inkling.port, receiver, visitsTo(loud), steadySeconds)
progress('time to webhook measured')
const withWebhooks = await saturateWithWebhooks(
  inkling.pid,
  { ...inklingLoad, seconds: seconds * 2, templates: visitsTo(loud) },
  receiver,
  database,
)
progress('full load with webhooks measured')

const usage = await processUsage(inkling.pid)
await inkling.stop()
receiver.close()

const total = (counts: readonly { acknowledged: number }[], more = 0): number =>
  counts.reduce((sum, { acknowledged }) => sum + acknowledged, more)
const rows: Record<'ceiling' | 'inkling', RowCount> = {
  ceiling: { acknowledged: total([warmUps.ceiling, ...ceilingRounds]), found: countCeilingRows(ceilingFile) },
  inkling: {
    acknowledged: total([warmUps.inkling, ...inklingRounds, withWebhooks], toRow.sent + toWebhook.sent),
    found: database.count('identifications'),
  },
}
database.close()

const report: Report = {
  machine: describeMachine(),
  concurrency,
  seconds,
  ceiling: { choice, rounds: ceilingRounds },
  inkling: { rounds: inklingRounds, peakMemoryMb: usage?.peakMemoryMb },
  withWebhooks,
  toRow,
  toWebhook,
  rows,
}
printReport(report)
process.exit(countsAgree(report) ? 0 : 1)
