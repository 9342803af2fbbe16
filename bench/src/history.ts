import { parseArgs } from 'node:util'
import { fillHistory } from './history/fill-history.ts'
import { addDomain, startInkling } from './inkling/start-inkling.ts'
import { describeMachine } from './lib/describe-machine.ts'
import { progress } from './lib/progress.ts'
import { summarize } from './lib/samples.ts'
import { scratchFolder } from './lib/scratch.ts'

/** Measures History reads from a large table, from a process other than the server. */
const { values } = parseArgs({
  options: {
    rows: { type: 'string', default: '1000000' },
    /** Rows of the device that the benchmark searches for. */
    busy: { type: 'string', default: '50000' },
    reads: { type: 'string', default: '2000' },
  },
})
const rows = Number(values.rows)
const busy = Number(values.busy)
const reads = Number(values.reads)

const folder = scratchFolder()
const keys = await addDomain({ dataDir: folder }, 'bench.example')
const { requestIds, busyDevice } = await fillHistory(folder, keys.domain, rows, busy)
const server = await startInkling({ dataDir: folder })

interface Page {
  total: number
  data: { request_id: string }[]
}

async function read(path: string): Promise<{ page: Page; ms: number }> {
  const startedAt = performance.now()
  const answer = await fetch(`http://127.0.0.1:${server.port}/api/v1/history/${path}`, {
    headers: { authorization: `Bearer ${keys.api_key}` },
  })
  const page = (await answer.json()) as Page
  return { page, ms: performance.now() - startedAt }
}

async function measure(name: string, count: number, path: () => string, total: number): Promise<number[]> {
  progress(`${count} reads by ${name}`)
  const samples: number[] = []
  // Warm-up: the first reads fill caches that a running server already has.
  for (let warm = 0; warm < 50; warm++) await read(path())
  for (let done = 0; done < count; done++) {
    const { page, ms } = await read(path())
    if (page.total !== total) throw new Error(`${name}: ${page.total} matches instead of ${total}`)
    samples.push(ms)
  }
  return samples
}

const pick = (): string => requestIds[Math.floor(Math.random() * requestIds.length)] ?? ''
const byRequest = await measure('request_id', reads, () => `request_id/${pick()}?limit=1`, 1)
const byDevice = await measure('device_id', Math.ceil(reads / 4), () => `device_id/${busyDevice}`, busy)
const deepPage = await measure(
  'device_id, last page',
  Math.ceil(reads / 20),
  () => `device_id/${busyDevice}?limit=100&offset=${busy - 100}`,
  busy,
)
await server.stop()

const line = (name: string, samples: number[], goalMs: number | undefined): string => {
  const { p50, p99, max } = summarize(samples)
  const goal = goalMs === undefined ? '' : `${goalMs} ms`
  return `| ${name} | ${p50.toFixed(2)} ms | ${p99.toFixed(2)} ms | ${max.toFixed(2)} ms | ${goal} |`
}
console.log(`History reads, ${rows.toLocaleString('en')} rows, one reader; ${describeMachine()}

| search | p50 | p99 | max | goal for p99 |
|---|---|---|---|---|
${line('request_id', byRequest, 5)}
${line(`device_id, ${busy.toLocaleString('en')} matches, total included`, byDevice, 20)}
${line('device_id, its last page', deepPage, undefined)}`)
