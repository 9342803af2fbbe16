import { randomUUID } from 'node:crypto'
import { parseArgs } from 'node:util'
import { createClient } from '../../packages/sdk/src/index.ts'
import { ordinaryBody, uniqueDevice } from '../../packages/server/test/contract/bodies.ts'
import { addDomain, startInkling } from './inkling/start-inkling.ts'
import { describeMachine } from './lib/describe-machine.ts'
import { progress } from './lib/progress.ts'
import { type Summary, summarize } from './lib/samples.ts'
import { scratchFolder } from './lib/scratch.ts'

/**
 * From the moment in which a page sends its visit and a form to a decision: asked for with `decide`, and with the SDK's
 * polling of History, in turns on one server. And how long a decision takes when the visit is stored already.
 */
const { values } = parseArgs({ options: { visits: { type: 'string', default: '300' } } })
const count = Number(values.visits)
const GOAL = { p99Ms: 10, shareOfPolling: 0.5 }
/** The server answers 200 questions a second, and each round has two. */
const PAUSE_MS = 10

const place = { dataDir: scratchFolder() }
const { public_key: publicKey, api_key: apiKey } = await addDomain(place, 'shop.example')
const server = await startInkling(place)
const url = `http://127.0.0.1:${server.port}`
const inkling = createClient({ historyUrl: url, apiKey })

async function send(requestId: string): Promise<void> {
  const answer = await fetch(`${url}/snapshot/${requestId}?publicKey=${publicKey}`, {
    method: 'POST',
    headers: { origin: 'https://shop.example', 'x-forwarded-for': '91.0.7.1' },
    body: ordinaryBody({}, uniqueDevice()),
  })
  if (answer.status !== 200) throw new Error(await answer.text())
}

async function decide(requestId: string, purpose: 'signup' | 'login'): Promise<void> {
  const decided = await inkling.decide(requestId, { purpose })
  if (decided.status !== 'decided') throw new Error(JSON.stringify(decided))
}

async function poll(requestId: string): Promise<void> {
  const { status } = await inkling.verdict(requestId)
  if (status !== 'scored') throw new Error(status)
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const startedMs = performance.now()
  await work()
  return performance.now() - startedMs
}

const samples = {
  health: [] as number[],
  sent: [] as number[],
  decided: [] as number[],
  polled: [] as number[],
  stored: [] as number[],
}
progress(`${count} visits each`)
for (let index = -20; index < count; index += 1) {
  const [first, second] = [randomUUID(), randomUUID()]
  let sentMs = 0
  const decided = await timed(() =>
    Promise.all([timed(() => send(first)).then((ms) => (sentMs = ms)), decide(first, 'signup')]),
  )
  const polled = await timed(() => Promise.all([send(second), poll(second)]))
  const stored = await timed(() => decide(second, 'login'))
  const health = await timed(async () => (await fetch(`${url}/health`)).text())
  await new Promise((resolve) => setTimeout(resolve, PAUSE_MS))
  // The first ones warm up.
  if (index < 0) continue
  samples.health.push(health)
  samples.decided.push(decided)
  samples.polled.push(polled)
  samples.stored.push(stored)
  samples.sent.push(sentMs)
}
await server.stop()

const rows: [string, Summary][] = [
  ['visit to decision, `decide`', summarize(samples.decided)],
  ['visit to verdict, polling History', summarize(samples.polled)],
  ['`decide` about a stored visit', summarize(samples.stored)],
  ['the visit alone', summarize(samples.sent)],
  ['GET /health', summarize(samples.health)],
]
process.stdout.write(
  `${describeMachine()}\n${count} each, one after the other\n\n| ms | p50 | p99 | max |\n|---|---|---|---|\n`,
)
for (const [name, { p50, p99, max }] of rows)
  process.stdout.write(`| ${name} | ${p50.toFixed(1)} | ${p99.toFixed(1)} | ${max.toFixed(1)} |\n`)
const [decided, polled, stored] = rows.map(([, summary]) => summary)
const isMet =
  (stored?.p99 ?? Infinity) < GOAL.p99Ms &&
  (decided?.p50 ?? Infinity) <= GOAL.shareOfPolling * (polled?.p50 ?? 0)
process.stdout.write(
  `\n${isMet ? 'met' : 'MISSED'}: p99 under ${GOAL.p99Ms} ms, at most half of polling at p50\n`,
)
process.exitCode = isMet ? 0 : 1
