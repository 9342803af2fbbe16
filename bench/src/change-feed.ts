import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { compareFeed, openReceived } from './change-feed/compare-feed.ts'
import { openEngine, readEngineName } from './engine/open-engine.ts'
import { openDatabase } from './inkling/open-database.ts'
import { addDomain, runInkling, startInkling } from './inkling/start-inkling.ts'
import { startNodes } from './inkling/start-nodes.ts'
import { startNode } from './lib/child.ts'
import { describeMachine } from './lib/describe-machine.ts'
import { progress } from './lib/progress.ts'
import { scratchFolder } from './lib/scratch.ts'
import { seededRandom } from './lib/seeded-random.ts'
import { keepLoading } from './load/keep-loading.ts'
import { visitTemplates } from './load/visit-templates.ts'

/**
 * Kills nodes and the receiver of the change feed under load, half of the nodes while they write a file. Then it scores
 * rows again and erases some. What the receiver kept must be what is stored.
 */
const { values } = parseArgs({
  options: {
    engine: { type: 'string', default: 'sqlite' },
    /** URL of an empty PostgreSQL, which may be distributed with Citus; without it one is started. */
    'database-url': { type: 'string' },
    /** On PostgreSQL; all write to one folder. */
    nodes: { type: 'string', default: '1' },
    seconds: { type: 'string', default: '240' },
    /** Kills of nodes, and as many of the receiver. */
    kills: { type: 'string', default: '4' },
    /** Connections to each node. */
    concurrency: { type: 'string', default: '2' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
  },
})
const [seconds, kills] = [Number(values.seconds), Number(values.kills)]
const random = seededRandom(Number(values.seed))
const RECEIVER = fileURLToPath(new URL('change-feed/receive-feed.ts', import.meta.url))
/** An identification is in the feed two and a half minutes after it was stored, or after the next start. */
const CAUGHT_UP_MS = 300_000
const DECIDED_EVERY_MS = 100
const WRITING_WITHIN_MS = 70_000
/** Enough signals that most visits of this load get another score. */
const OTHER_WEIGHTS = { datacenter_ip: 23, timezone_mismatch: 24, incomplete_evidence: 25, ip_mismatch: 26 }

const engine = await openEngine({
  name: readEngineName(values.engine),
  nodes: Number(values.nodes),
  databaseUrl: values['database-url'],
})
const folder = scratchFolder()
const feed = join(folder, 'feed')
const kept = join(folder, 'kept.db')
const settings = { CHANGE_FEED_DIR: feed }
const [place] = engine.places
const keys = await addDomain(place, 'bench.example')
const { nodes, ports } = await startNodes(engine.places, { settings })
let receiver = await startNode([RECEIVER, feed, kept], /^receiving/)

const acknowledged = new Set<string>()
const decisions = new Set<string>()
let latest = ''
let loading = true
const load = keepLoading({
  ports,
  templates: visitTemplates({ port: ports[0] ?? 0, publicKey: keys.public_key, domain: keys.domain }),
  lanes: Number(values.concurrency),
  acknowledged(requestId) {
    acknowledged.add(requestId)
    latest = requestId
  },
})
const deciding = decideNowAndThen()
const startedMs = Date.now()
const sliceMs = (seconds * 1_000) / kills
for (let round = 0; round < kills; round += 1) {
  const node = round % nodes.length
  await sleep(sliceMs * 0.2 * random())
  const whileWriting = round % 2 === 0 && (await isWriting(WRITING_WITHIN_MS))
  await nodes[node]?.kill()
  await receiver.kill()
  progress(`node ${node + 1} killed${whileWriting ? ' while it wrote a file' : ''}, and the receiver`)
  receiver = await startNode([RECEIVER, feed, kept], /^receiving/)
  const [where, port] = [engine.places[node], ports[node]]
  if (where && port !== undefined) nodes[node] = await startInkling(where, { settings, port })
  await sleep(Math.max(0, startedMs + sliceMs * (round + 1) - Date.now()))
}
loading = false
const { refused, broken, other } = await load.stop()
await deciding
progress(`${acknowledged.size} acknowledged, ${decisions.size} decided about`)

const database = openDatabase(place)
await caughtUp()
const rules = join(folder, 'rules.json')
writeFileSync(rules, JSON.stringify({ weights: OTHER_WEIGHTS }))
const since = new Date(startedMs + seconds * 900).toISOString()
const before = await database.versions()
await runInkling(place, 'rescore', keys.domain, '--rules', rules, '--since', since)
const rescored = await database.versions()
const changed = [...rescored].filter(([id, { ver }]) => before.get(id)?.ver !== ver).length
const erased = new Set<string>()
for (const requestId of [...acknowledged].slice(0, 3)) {
  await runInkling(place, 'erase', keys.domain, 'request_id', requestId)
  erased.add(requestId)
}
progress(`${changed} scored again, ${erased.size} erased`)
// Until a run of the feed has begun after both, and ended.
await caughtUp()
for (let file = 0; file < 2; file += 1) await isWriting(WRITING_WITHIN_MS)
await receiverIsDone()

const rows = await database.versions()
const received = openReceived(kept)
const faults = compareFeed(received, { acknowledged, decisions, erased, rows })
const report = {
  machine: describeMachine(),
  engine: engine.name,
  nodes: nodes.length,
  seed: Number(values.seed),
  kills,
  acknowledged: acknowledged.size,
  refused,
  broken,
  otherAnswers: Object.values(other).reduce((sum, count) => sum + count, 0),
  rows: rows.size,
  keysReceived: received.count,
  decisions: decisions.size,
  scoredAgain: changed,
  erased: erased.size,
}
received.close()
await receiver.stop()
await Promise.all(nodes.map((node) => node.stop()))
await database.close()
await engine.stop()
console.log()
for (const [name, value] of Object.entries({ ...report, ...faults }))
  console.log(`${name.padEnd(28)}${value}`)
const isWrong = changed === 0 || Object.values(faults).some((count) => count !== 0)
console.log(isWrong ? '\nFAILED' : '\nthe feed equals the rows')
console.log(JSON.stringify({ ...report, faults }))
process.exit(isWrong ? 1 : 0)

async function decideNowAndThen(): Promise<void> {
  while (loading) {
    await sleep(DECIDED_EVERY_MS)
    const body = { request_id: latest, purpose: 'signup' }
    const answer = await fetch(`http://127.0.0.1:${ports[0]}/api/v1/decide`, {
      method: 'POST',
      headers: { authorization: `Bearer ${keys.api_key}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    }).catch(() => undefined)
    if (answer?.status === 200) decisions.add(((await answer.json()) as { decision_id: string }).decision_id)
    else await answer?.body?.cancel()
  }
}

/** Waits until a node writes a file, at most so long. */
async function isWriting(withinMs: number): Promise<boolean> {
  const writing = () => readdirSync(feed).some((name) => name.startsWith('.changes-'))
  for (const endMs = Date.now() + withinMs; Date.now() < endMs; await sleep(5)) if (writing()) return true
  return false
}

/** Waits until the receiver has all rows. */
async function caughtUp(): Promise<void> {
  const total = await database.count('identifications')
  for (const endMs = Date.now() + CAUGHT_UP_MS; Date.now() < endMs; await sleep(1_000)) {
    const received = openReceived(kept)
    const visits = received.keys().filter((key) => key.startsWith('identification:')).length
    received.close()
    if (visits >= total) return
  }
  progress('the feed has not caught up')
}

async function receiverIsDone(): Promise<void> {
  while (readdirSync(feed).some((name) => name.includes('changes-'))) await sleep(200)
  await sleep(1_000)
}
