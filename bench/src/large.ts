import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { parseArgs, promisify } from 'node:util'
import { sql } from 'kysely'
import { addUser } from '../../packages/server/src/auth/users.ts'
import { countIdentifications } from '../../packages/server/src/jobs/rollups/count-identifications.ts'
import { domainStore } from '../../packages/server/src/store/domains/domains.ts'
import { openStore } from '../../packages/server/src/store/open-store.ts'
import { openEngine } from './engine/open-engine.ts'
import { addDomain, type DomainKeys, startInkling } from './inkling/start-inkling.ts'
import { fillDomains } from './large/fill-domains.ts'
import { SEARCHES } from './large/made-identifiers.ts'
import { measureJobs } from './large/measure-jobs.ts'
import { describeMachine } from './lib/describe-machine.ts'
import { progress } from './lib/progress.ts'
import { summarize } from './lib/samples.ts'
import { seededRandom } from './lib/seeded-random.ts'

/**
 * History by each identifier, the overview and the jobs, over many made rows of many domains on PostgreSQL or Citus. One
 * reader, in a process of its own.
 */
const { values } = parseArgs({
  options: {
    /** URL of an empty database; one on the coordinator of a Citus cluster is split first. */
    'database-url': { type: 'string' },
    rows: { type: 'string', default: '1000000' },
    domains: { type: 'string', default: '24' },
    /** For each identifier. */
    reads: { type: 'string', default: '2000' },
    split: { type: 'boolean', default: false },
  },
})
const CLI = fileURLToPath(new URL('../../packages/server/src/cli/inkling.ts', import.meta.url))
const HISTORY_GOAL_MS = 20
const OVERVIEW_GOAL_MS = 300
const DAY_MS = 86_400_000
const USER = { email: 'bench@bench.example', password: 'correct horse battery' }
const reads = Number(values.reads)
const rowsOfDomain = Math.ceil(Number(values.rows) / Number(values.domains))

const engine = await openEngine({ name: 'postgres', nodes: 1, databaseUrl: values['database-url'] })
const { dataDir, databaseUrl } = engine.places[0]
if (databaseUrl === undefined) throw new Error('there is no PostgreSQL')
const place = { dataDir, databaseUrl }
if (values.split)
  await promisify(execFile)(process.execPath, [CLI, 'distribute', '--to', databaseUrl, '--json'])
const domains: DomainKeys[] = []
for (let number = 1; number <= Number(values.domains); number++)
  domains.push(await addDomain(place, `bench-${number}.example`))

const store = await openStore(place)
await addUser(store, { ...USER, role: 'owner' }, { actor: 'bench', nowMs: Date.now() })
const ids: number[] = []
for (const { domain } of domains) ids.push((await domainStore(store.reads).find(domain))?.id ?? 0)
const filledFrom = performance.now()
await fillDomains(place, { domains: ids, rowsOfDomain })
const fillSeconds = (performance.now() - filledFrom) / 1_000
// The overview reads counts alone, and counting all rows would take longer than all else here: that of the last domain.
progress('counting the rows of one domain')
const last = ids.at(-1) ?? 0
await sql`update rollup_progress set last_id = (select min(id) - 1 from identifications where domain_id = ${last})`.execute(
  store.writes,
)
await countIdentifications(store, { settledAfterMs: 0, now: Date.now })
await sql`delete from pattern_cursor`.execute(store.writes)
await sql`insert into pattern_cursor select 1, max(id) from identifications`.execute(store.writes)
const { bytes } = await store.size()
await store.close()

const server = await startInkling(place)
const base = `http://127.0.0.1:${server.port}`
const random = seededRandom(1)
const lines: string[] = []
let isMissed = false

async function measure(name: string, goalMs: number, ask: () => Promise<void>, count: number): Promise<void> {
  progress(name)
  const samples: number[] = []
  // Warm-up: the first reads fill caches that a running server already has.
  for (let warm = 0; warm < Math.ceil(count / 20); warm++) await ask()
  for (let done = 0; done < count; done++) {
    const startedAt = performance.now()
    await ask()
    samples.push(performance.now() - startedAt)
  }
  const { p50, p99, max } = summarize(samples)
  isMissed ||= p99 > goalMs
  lines.push(
    `| ${name} | ${p50.toFixed(1)} ms | ${p99.toFixed(1)} ms | ${max.toFixed(1)} ms | ${goalMs} ms |`,
  )
}

const pick = (count: number): number => Math.floor(random() * count)
for (const [identifier, { path, total }] of Object.entries(SEARCHES)) {
  const ask = async (): Promise<void> => {
    const index = pick(ids.length)
    const found = path(ids[index] ?? 0, pick(Math.floor(rowsOfDomain / 20) * 20))
    const answer = await fetch(`${base}/api/v1/history/${identifier}/${found}`, {
      headers: { authorization: `Bearer ${domains[index]?.api_key}` },
    })
    const page = (await answer.json()) as { total: number }
    if (page.total !== total)
      throw new Error(`${identifier} ${found}: ${page.total} rows instead of ${total}`)
  }
  await measure(`History by ${identifier}, ${total} found`, HISTORY_GOAL_MS, ask, reads)
}

const login = await fetch(`${base}/account/login`, {
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(USER),
})
const { access_token } = (await login.json()) as { access_token: string }
const to = new Date(Math.ceil(Date.now() / DAY_MS) * DAY_MS)
for (const days of [7, 30, 90]) {
  const range = new URLSearchParams({
    from: new Date(to.getTime() - days * DAY_MS).toISOString(),
    to: to.toISOString(),
  })
  const ask = async (): Promise<void> => {
    const answer = await fetch(`${base}/account/domains/${domains.at(-1)?.domain}/overview?${range}`, {
      headers: { authorization: `Bearer ${access_token}` },
    })
    if (!answer.ok) throw new Error(`overview: ${answer.status} ${await answer.text()}`)
    await answer.arrayBuffer()
  }
  await measure(`overview of ${days} days`, OVERVIEW_GOAL_MS, ask, Math.ceil(reads / 20))
}
await server.stop()
const speeds = await measureJobs(place)
await engine.stop()

console.log(`${(rowsOfDomain * ids.length).toLocaleString('en')} rows of ${ids.length} domains, ${(bytes / 1e9).toFixed(0)} GB, filled in ${fillSeconds.toFixed(0)} s; ${describeMachine()}

| read | p50 | p99 | max | goal for p99 |
|---|---|---|---|---|
${lines.join('\n')}

| job | rows | rows per second |
|---|---|---|
${speeds.map(({ job, rows, perSecond }) => `| ${job} | ${rows.toLocaleString('en')} | ${Math.round(perSecond).toLocaleString('en')} |`).join('\n')}`)
if (isMissed) process.exitCode = 1
