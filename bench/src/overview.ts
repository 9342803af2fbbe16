import { parseArgs } from 'node:util'
import { OVERVIEW_DIMENSIONS } from '@inkling/contract/account'
import { addUser } from '../../packages/server/src/auth/users.ts'
import { countIdentifications } from '../../packages/server/src/jobs/rollups/count-identifications.ts'
import { domainStore } from '../../packages/server/src/store/domains/domains.ts'
import { openStore } from '../../packages/server/src/store/open-store.ts'
import { uncounted } from '../../packages/server/src/store/roll-ups/counts.ts'
import { addDomain, startInkling } from './inkling/start-inkling.ts'
import { describeMachine } from './lib/describe-machine.ts'
import { progress } from './lib/progress.ts'
import { summarize } from './lib/samples.ts'
import { scratchFolder } from './lib/scratch.ts'
import { fillOverview } from './overview/fill-overview.ts'

/** Measures the dashboard's overview over a large table, from a process other than the server. */
const { values } = parseArgs({
  options: {
    rows: { type: 'string', default: '1000000' },
    reads: { type: 'string', default: '100' },
  },
})
const rows = Number(values.rows)
const reads = Number(values.reads)
const DAY_MS = 86_400_000
const HOUR_MS = 3_600_000
const GOAL_MS = 100
const USER = { email: 'bench@bench.example', password: 'correct horse battery' }

const folder = scratchFolder()
const { domain } = await addDomain({ dataDir: folder }, 'bench.example')
const filling = await openStore({ dataDir: folder })
await addUser(filling, { ...USER, role: 'owner' }, { actor: 'bench', nowMs: Date.now() })
const domainId = (await domainStore(filling.reads).find(domain))?.id ?? 0
await filling.close()
fillOverview(folder, domainId, rows)

progress('counting')
const store = await openStore({ dataDir: folder })
const countedFrom = performance.now()
const reporting = setInterval(
  async () => progress(`${(await uncounted(store.reads)).toLocaleString('en')} to count`),
  30_000,
)
await countIdentifications(store, { settledAfterMs: 0, now: Date.now })
clearInterval(reporting)
const countSeconds = (performance.now() - countedFrom) / 1_000
const counts = await store.reads
  .selectFrom('rollups')
  .select(({ fn }) => fn.countAll<number>().as('rows'))
  .executeTakeFirstOrThrow()
await store.close()

const server = await startInkling({ dataDir: folder })
const base = `http://127.0.0.1:${server.port}/account`
const login = await fetch(`${base}/login`, {
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(USER),
})
const { access_token } = (await login.json()) as { access_token: string }

async function ask(path: string, query: Record<string, string>): Promise<{ ms: number; total: number }> {
  const startedAt = performance.now()
  const answer = await fetch(`${base}/domains/${domain}/${path}?${new URLSearchParams(query)}`, {
    headers: { authorization: `Bearer ${access_token}` },
  })
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`)
  const { identifications } = (await answer.json()) as { identifications: number | { value: number } }
  const total = typeof identifications === 'number' ? identifications : identifications.value
  return { ms: performance.now() - startedAt, total }
}

function rangeOf(days: number): { from: string; to: string } {
  const toMs = Math.ceil(Date.now() / HOUR_MS) * HOUR_MS
  const fromMs = days === 1 ? toMs - DAY_MS : Math.ceil(toMs / DAY_MS) * DAY_MS - days * DAY_MS
  return { from: new Date(fromMs).toISOString(), to: new Date(toMs).toISOString() }
}

const lines: string[] = []
const figures: { answer: string; days: number; p50: number; p99: number }[] = []
for (const days of [1, 7, 30, 90]) {
  const range = rangeOf(days)
  const answers = [
    { name: 'overview', ask: () => ask('overview', range) },
    ...OVERVIEW_DIMENSIONS.map((dimension) => ({
      name: dimension,
      ask: () => ask('overview/values', { ...range, dimension, sort: 'riskiest' }),
    })),
  ]
  for (const { name, ask } of answers) {
    progress(`${days} days, ${name}`)
    const samples: number[] = []
    for (let warm = 0; warm < 3; warm += 1) await ask()
    for (let done = 0; done < reads; done += 1) samples.push((await ask()).ms)
    const { p50, p99, max } = summarize(samples)
    figures.push({ answer: name, days, p50, p99 })
    lines.push(
      `| ${name} | ${days} | ${p50.toFixed(1)} ms | ${p99.toFixed(1)} ms | ${max.toFixed(1)} ms | ${GOAL_MS} ms |`,
    )
  }
}
// The page sends all requests at once.
const pages: number[] = []
for (let done = 0; done < Math.ceil(reads / 5); done += 1) {
  const startedAt = performance.now()
  const range = rangeOf(90)
  await Promise.all([
    ask('overview', range),
    ...OVERVIEW_DIMENSIONS.map((dimension) => ask('overview/values', { ...range, dimension })),
  ])
  pages.push(performance.now() - startedAt)
}
const page = summarize(pages)
await server.stop()

console.log(`Overview, ${rows.toLocaleString('en')} rows of 90 days; ${describeMachine()}
Counted in ${countSeconds.toFixed(0)} s (${Math.round(rows / countSeconds).toLocaleString('en')} rows a second) into ${counts.rows.toLocaleString('en')} counts.

| answer | days | p50 | p99 | max | goal for p99 |
|---|---|---|---|---|---|
${lines.join('\n')}
| a whole page at once, until its last answer | 90 | ${page.p50.toFixed(1)} ms | ${page.p99.toFixed(1)} ms | ${page.max.toFixed(1)} ms | |`)
console.log(JSON.stringify({ rows, countSeconds, counts: counts.rows, figures, page }))
