import { writeFile } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import { describeMachine } from '../../src/lib/describe-machine.ts'
import { progress } from '../../src/lib/progress.ts'
import { CONTROLS } from '../controls/index.ts'
import { FILL_ALL } from '../honeytokens/fill-all.ts'
import type { Configuration } from './configuration.ts'
import { measureRun } from './measure-run.ts'
import { openBench } from './open-bench.ts'
import { type HoneytokenRun, honeytokenReport } from './report/honeytoken-report.ts'
import { browserVersion } from './report/versions.ts'

/** Runs the controls, and programs that fill in every field, on a page with honeytokens. */
const { values: options } = parseArgs({ options: { only: { type: 'string', default: '' } } })

const DOCUMENT = new URL('../../../docs/accuracy/honeytokens.md', import.meta.url)

const names = options.only.split(',').filter((name) => name !== '')
const wanted = [...FILL_ALL, ...CONTROLS].filter(({ id }) => names.length === 0 || names.includes(id))
const runs: HoneytokenRun[] = []
const bench = await openBench()
bench.site.honeytokens = true
try {
  for (const configuration of wanted) runs.push(await runOnce(configuration))
} finally {
  await bench.close()
}
if (names.length === 0)
  await writeFile(
    DOCUMENT,
    honeytokenReport({
      runs,
      at: new Date().toISOString(),
      versions: [await browserVersion('chromium'), await browserVersion('firefox')],
      machine: describeMachine(),
    }),
  )

/** One that gave no verdict is run again: a browser that did not start says nothing about honeytokens. */
async function runOnce(configuration: Configuration, tries = 3): Promise<HoneytokenRun> {
  const { measured, error } = await measureRun(bench, configuration, 1)
  const verdict = measured?.action ?? measured?.load
  if (!verdict && tries > 1) return runOnce(configuration, tries - 1)
  const hit = verdict?.hits.find(({ name }) => name === 'honeytoken')
  const answer = hit?.description ?? (verdict?.unknown.includes('honeytoken') ? 'unknown' : 'clear')
  const run = {
    configuration,
    answer: verdict ? answer : undefined,
    score: verdict?.score,
    isHit: hit !== undefined,
  }
  progress(`${configuration.id}: ${run.answer ?? error}, ${run.score}`)
  return run
}
