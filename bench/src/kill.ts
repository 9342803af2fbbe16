import { parseArgs } from 'node:util'
import { awaitEmptyOutbox } from './inkling/await-empty-outbox.ts'
import { findRow } from './inkling/find-row.ts'
import { openDatabase } from './inkling/open-database.ts'
import { addDomain, addWebhook, startInkling } from './inkling/start-inkling.ts'
import { judge, type Outage } from './kill/judge.ts'
import { runCrash } from './kill/run-crash.ts'
import { describeMachine } from './lib/describe-machine.ts'
import { progress } from './lib/progress.ts'
import { scratchFolder } from './lib/scratch.ts'
import { seededRandom } from './lib/seeded-random.ts'
import { openReceiver } from './receive/open-receiver.ts'

/** Kills the server repeatedly under load and checks that nothing acknowledged is lost. */
const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '20' },
    /** Longest load before a kill; the shortest is a quarter of that. */
    seconds: { type: 'string', default: '2' },
    concurrency: { type: 'string', default: '32' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
  },
})
const rounds = Number(values.rounds)
const longestMs = Number(values.seconds) * 1_000
const concurrency = Number(values.concurrency)
const random = seededRandom(Number(values.seed))

const OUTBOX_TIMEOUT_MS = 180_000
const SPOT_CHECKS = 200

const folder = scratchFolder()
const receiver = await openReceiver()
const keys = await addDomain({ dataDir: folder }, 'bench.example')
await addWebhook({ dataDir: folder }, keys.domain, receiver.url)

const acknowledged = new Set<string>()
const outages: Outage[] = []
for (let number = 1; number <= rounds; number++) {
  const loadMs = longestMs * (0.25 + 0.75 * random())
  const crash = await runCrash(folder, keys, concurrency, loadMs)
  for (const requestId of crash.acknowledged) acknowledged.add(requestId)
  outages.push(crash.outage)
  progress(
    `round ${number} of ${rounds}: ${crash.acknowledged.length} acknowledged in ${loadMs.toFixed(0)} ms, then killed`,
  )
}

const server = await startInkling({ dataDir: folder })
const database = openDatabase({ dataDir: folder })
const left = await database.count('outbox')
progress(`${left} events are left in the outbox`)
const drainedAfterMs = await awaitEmptyOutbox(database, OUTBOX_TIMEOUT_MS)

const judgement = await judge(acknowledged, receiver.arrivals, outages, database)
let notInHistory = 0
const candidates = [...acknowledged]
for (let check = 0; check < Math.min(SPOT_CHECKS, candidates.length); check++) {
  const requestId = candidates[Math.floor(random() * candidates.length)] ?? ''
  if ((await findRow(server.port, keys.api_key, requestId)) !== 1) notInHistory += 1
}
await database.close()
await server.stop()
receiver.close()

const report = {
  machine: describeMachine(),
  seed: Number(values.seed),
  rounds,
  concurrency,
  ...judgement,
  faults: { ...judgement.faults, notInHistory },
  leftInOutbox: left,
  drainedAfterMs: Math.round(drainedAfterMs),
}
const { faults, ...facts } = report
console.log()
for (const [name, value] of Object.entries({ ...facts, ...faults })) console.log(`${name.padEnd(30)}${value}`)
const lost = Object.values(faults).some((count) => count !== 0)
console.log(lost ? '\nFAILED' : '\nnothing was lost')
console.log(JSON.stringify(report))
process.exit(lost ? 1 : 0)
