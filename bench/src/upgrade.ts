import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { openEngine } from './engine/open-engine.ts'
import { awaitEmptyOutbox } from './inkling/await-empty-outbox.ts'
import { openDatabase } from './inkling/open-database.ts'
import { addDomain, addWebhook, startInkling } from './inkling/start-inkling.ts'
import { startNodes } from './inkling/start-nodes.ts'
import { judge, type Outage } from './kill/judge.ts'
import { clockMs } from './lib/clock.ts'
import { describeMachine } from './lib/describe-machine.ts'
import { progress } from './lib/progress.ts'
import { keepLoading } from './load/keep-loading.ts'
import { visitTemplates } from './load/visit-templates.ts'
import { openReceiver } from './receive/open-receiver.ts'
import { isAlike } from './upgrade/compare-history.ts'
import {
  openRelease,
  type Release,
  revisionBeforeNewestMigration,
  thisRelease,
} from './upgrade/older-release.ts'

/**
 * Updates two nodes on one PostgreSQL to this release under load, one after the other, takes them back to the release
 * before, and updates them again. Between the steps both releases serve. Nothing acknowledged may be lost.
 */
const { values } = parseArgs({
  options: {
    /** Commit of the older release. */
    from: { type: 'string' },
    /** Load between two steps. */
    seconds: { type: 'string', default: '10' },
    /** Connections to each node. */
    concurrency: { type: 'string', default: '8' },
    /** URL of an empty database, which may be distributed with Citus; without it a PostgreSQL is started. */
    'database-url': { type: 'string' },
  },
})
const OUTBOX_TIMEOUT_MS = 300_000
const COMPARED = 30
/** The warnings of nodes that are stopped under load are expected. */
const QUIET = { LOG_LEVEL: 'error' }

const older = await openRelease(values.from ?? (await revisionBeforeNewestMigration()))
const engine = await openEngine({ name: 'postgres', nodes: 2, databaseUrl: values['database-url'] })
const [place] = engine.places
const receiver = await openReceiver()
const old = { settings: QUIET, cli: older.cli }
const keys = await addDomain(place, 'bench.example', older.cli)
await addWebhook(place, keys.domain, receiver.url, older.cli)
const { nodes, ports } = await startNodes(engine.places, old)
const database = openDatabase(place)
progress(`two nodes of ${older.name} are ready`)

const acknowledged = new Set<string>()
const load = keepLoading({
  ports,
  templates: visitTemplates({ port: ports[0] ?? 0, publicKey: keys.public_key, domain: keys.domain }),
  lanes: Number(values.concurrency),
  acknowledged: (requestId) => void acknowledged.add(requestId),
})
const stops: Outage[] = []
let unlike = 0
const replace = async (index: number, { name, cli }: Release): Promise<void> => {
  const [node, own] = [nodes[index], engine.places[index]]
  if (!node || !own) throw new Error(`there is no node ${index + 1}`)
  const fromMs = clockMs()
  await node.stop()
  stops.push({ fromMs, untilMs: clockMs() })
  nodes[index] = await startInkling(own, { settings: QUIET, cli, port: node.port })
  progress(`node ${index + 1} is ${name}`)
}
const serve = async (): Promise<void> => {
  const before = acknowledged.size
  await sleep(Number(values.seconds) * 1_000)
  if (acknowledged.size === before) throw new Error('no visit was acknowledged')
  for (const requestId of [...acknowledged].slice(-COMPARED))
    if (!(await isAlike(ports, keys.api_key, requestId))) unlike += 1
}

await serve()
for (const release of [thisRelease, older, thisRelease])
  for (const index of nodes.keys()) {
    await replace(index, release)
    await serve()
  }
const answers = await load.stop()
const drainedAfterMs = await awaitEmptyOutbox(database, OUTBOX_TIMEOUT_MS)
const judgement = await judge(acknowledged, receiver.arrivals, stops, database)
await database.close()
await Promise.all(nodes.map((node) => node.stop()))
await engine.stop()
receiver.close()

const faults = {
  'acknowledged, and no row': judgement.faults.acknowledgedWithoutRow,
  'acknowledged, and several rows': judgement.faults.acknowledgedWithSeveralRows,
  'rows without their snapshot': judgement.faults.rowsWithoutSnapshot,
  'rows without an event': judgement.faults.rowsWithoutEvent,
  'events without a row': judgement.faults.eventsWithoutRow,
  'events repeated without a stop': judgement.faults.unexplainedRepeats,
  'indexes that do not match their table': judgement.faults.damagedFile,
  'rows that the two releases show differently': unlike,
  'responses other than 200 and 503': Object.values(answers.other).reduce((sum, count) => sum + count, 0),
}
console.log(`${describeMachine()}; ${older.name} and ${thisRelease.name}\n`)
console.log(`acknowledged: ${acknowledged.size}, rows: ${judgement.rows}, events: ${judgement.events}`)
console.log(`events repeated by a node that could not stop in time: ${judgement.explainedRepeats}`)
console.log(`rejected with 503: ${answers.refused}, connections closed during a request: ${answers.broken}`)
console.log(`outbox empty after ${(drainedAfterMs / 1_000).toFixed(1)} s\n\n| must be 0 | |\n|---|---|`)
for (const [name, count] of Object.entries(faults)) console.log(`| ${name} | ${count} |`)
const isWhole = Object.values(faults).every((count) => count === 0)
console.log(isWhole ? '\nNothing was lost.' : '\nFAILED')
process.exit(isWhole ? 0 : 1)
