import { parseArgs } from 'node:util'
import { runPatterns } from '../../packages/server/src/jobs/patterns/run-patterns.ts'
import { domainStore } from '../../packages/server/src/store/domains/domains.ts'
import { movePatternCursor } from '../../packages/server/src/store/findings/pattern-cursor.ts'
import { openStore } from '../../packages/server/src/store/open-store.ts'
import { addDomain } from './inkling/start-inkling.ts'
import { describeMachine } from './lib/describe-machine.ts'
import { progress } from './lib/progress.ts'
import { scratchFolder } from './lib/scratch.ts'
import { fillPatterns } from './patterns/fill-patterns.ts'

/** Measures how long a run over a month of visits takes, and how long it blocks a database reader. */
const { values } = parseArgs({ options: { rows: { type: 'string', default: '1000000' } } })
const rows = Number(values.rows)
const GOAL_SECONDS = 60
/** Ten-minute slices of a month. */
const RUNS_PER_MONTH = 30 * 24 * 6
const PROBE_PAUSE_MS = 20

const folder = scratchFolder()
const { domain } = await addDomain({ dataDir: folder }, 'bench.example')
const empty = await openStore({ dataDir: folder })
const domainId = (await domainStore(empty.reads).find(domain))?.id ?? 0
await empty.close()
fillPatterns(folder, domainId, rows)
const store = await openStore({ dataDir: folder })

interface Measured {
  name: string
  seconds: number
  identifications: number
  entities: number
  changes: number
  /** The longest wait of a concurrent one-row query. */
  waitedMs: number
}

async function measure(name: string, lastRows: number | undefined): Promise<Measured> {
  progress(name)
  if (lastRows !== undefined) await movePatternCursor(store.writes, rows - lastRows)
  const running = { stopped: false, waitedMs: 0 }
  const probing = probe(running)
  const startedAt = performance.now()
  const run = await runPatterns(store, { settledAfterMs: 0, now: Date.now })
  const seconds = (performance.now() - startedAt) / 1_000
  running.stopped = true
  await probing
  return { name, seconds, waitedMs: running.waitedMs, ...run }
}

async function probe(running: { stopped: boolean; waitedMs: number }): Promise<void> {
  while (!running.stopped) {
    const askedAt = performance.now()
    await store.reads.selectFrom('domains').select('id').execute()
    running.waitedMs = Math.max(running.waitedMs, performance.now() - askedAt)
    await new Promise((resolve) => setTimeout(resolve, PROBE_PAUSE_MS))
  }
}

const results = [
  await measure('ten minutes of visits', Math.round(rows / RUNS_PER_MONTH)),
  await measure('the most that one run reads', Math.min(rows, 100_000)),
  await measure('nothing new', undefined),
]
await store.close()

const line = ({ name, seconds, identifications, entities, changes, waitedMs }: Measured): string =>
  `| ${name} | ${identifications.toLocaleString('en')} | ${entities.toLocaleString('en')} | ${changes.toLocaleString('en')} | ${seconds.toFixed(2)} s | ${waitedMs.toFixed(0)} ms |`
console.log(`Patterns, a run over ${rows.toLocaleString('en')} rows (goal: under ${GOAL_SECONDS} s); ${describeMachine()}

| run | identifications | examined entities | grades changed | time | longest wait of another reader |
|---|---|---|---|---|---|
${results.map(line).join('\n')}
`)
console.log(JSON.stringify({ rows, results }))
process.exitCode = results.every(({ seconds }) => seconds < GOAL_SECONDS) ? 0 : 1
