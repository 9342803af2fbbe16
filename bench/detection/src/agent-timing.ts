import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import type { Engine } from './timing/load-once.ts'
import { measureEngine } from './timing/measure-engine.ts'
import { type EngineTimings, timingReport } from './timing/timing-report.ts'

const { values: options } = parseArgs({
  options: {
    loads: { type: 'string', default: '15' },
    engine: { type: 'string', default: 'chromium,firefox' },
    // Folder of an earlier commit with its packages, whose agent is measured in the same turns.
    before: { type: 'string' },
  },
})

const RESULTS = new URL('../results/agent-timing.jsonl', import.meta.url)
const DOCUMENT = new URL('../../../docs/accuracy/agent-timing.md', import.meta.url)
function engineOf(name: string): Engine {
  if (name === 'chromium' || name === 'firefox') return name
  throw new Error(`no engine ${name}`)
}

/** The last measurement of each engine, one per line. */
async function readTimings(): Promise<EngineTimings[]> {
  const text = await readFile(RESULTS, 'utf8').catch(() => '')
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as EngineTimings)
}

async function keepTimings(measured: EngineTimings): Promise<void> {
  const others = (await readTimings()).filter(({ engine }) => engine !== measured.engine)
  const all = [...others, measured].sort((one, other) => one.engine.localeCompare(other.engine))
  await mkdir(new URL('.', RESULTS), { recursive: true })
  await writeFile(RESULTS, all.map((timings) => `${JSON.stringify(timings)}\n`).join(''))
}

for (const name of options.engine.split(','))
  await keepTimings(await measureEngine(engineOf(name), Number(options.loads), options.before))
await mkdir(new URL('.', DOCUMENT), { recursive: true })
await writeFile(DOCUMENT, timingReport(await readTimings()))
