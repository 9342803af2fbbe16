import { mkdir, writeFile } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import { describeMachine } from '../../src/lib/describe-machine.ts'
import { progress } from '../../src/lib/progress.ts'
import { CONFIGURATIONS } from '../configurations/index.ts'
import { CONTROLS } from '../controls/index.ts'
import type { Configuration } from './configuration.ts'
import { FAMILIES } from './families.ts'
import { measureRun, type RunResult } from './measure-run.ts'
import { openBench } from './open-bench.ts'
import { detectionReport } from './report/detection-report.ts'
import { judge } from './report/judge.ts'
import { browserVersion, packageVersion } from './report/versions.ts'
import { addResult, readResults, writeResults } from './results-file.ts'

const { values: options } = parseArgs({
  options: {
    runs: { type: 'string', default: '3' },
    only: { type: 'string', default: '' },
    controls: { type: 'boolean', default: false },
    half: { type: 'string', default: '' },
    resume: { type: 'boolean', default: false },
    report: { type: 'boolean', default: false },
  },
})

const DOCUMENT = new URL('../../../docs/accuracy/detection.md', import.meta.url)
const ALL = [...CONFIGURATIONS, ...CONTROLS]
const PEERS = ['@fingerprintjs/botd', 'fpscanner', 'headless-detector', 'fingerprinter-js']

interface Task {
  configuration: Configuration
  run: number
}

function wantedConfigurations(): readonly Configuration[] {
  const names = options.only.split(',').filter((name) => name !== '')
  const strange = names.filter((name) => !ALL.some(({ id }) => id === name))
  if (strange.length > 0) throw new Error(`no configuration ${strange.join(', ')}`)
  if (!['', 'fit', 'judge'].includes(options.half)) throw new Error(`no half ${options.half}`)
  const ofHalf = CONFIGURATIONS.filter(({ family }) => family && FAMILIES[family].half === options.half)
  const offered = options.controls ? CONTROLS : options.half === '' ? ALL : ofHalf
  return names.length === 0 ? offered : offered.filter(({ id }) => names.includes(id))
}

/** Runs all configurations once before the next round, so that changes on the machine affect all equally. */
function tasks(): Task[] {
  const wanted = wantedConfigurations()
  return Array.from({ length: Number(options.runs) }, (_, index) =>
    wanted.map((configuration) => ({ configuration, run: index + 1 })),
  ).flat()
}

/**
 * Earlier results to keep: all configurations that are not measured now, and with `--resume` those as
 * well.
 */
async function keptResults(all: readonly Task[]): Promise<RunResult[]> {
  const isEverything = options.only === '' && !options.controls && options.half === ''
  if (isEverything && !options.resume) return []
  const isMeasuredNow = ({ id, run }: RunResult): boolean =>
    all.some((task) => task.configuration.id === id && task.run === run)
  const earlier = await readResults()
  return earlier.filter((result) => !isMeasuredNow(result) || (options.resume && !result.error))
}

async function measure(all: readonly Task[]): Promise<void> {
  const kept = await keptResults(all)
  await writeResults(kept)
  const left = all.filter(
    ({ configuration, run }) => !kept.some((result) => result.id === configuration.id && result.run === run),
  )
  const bench = await openBench()
  try {
    for (const [index, { configuration, run }] of left.entries()) {
      const result = await measureRun(bench, configuration, run)
      await addResult(result)
      progress(`${index + 1}/${left.length} ${configuration.id} ${run}: ${describe(result)}`)
    }
  } finally {
    await bench.close()
  }
}

function describe({ measured, error, seconds }: RunResult): string {
  if (!measured) return `error, ${error}`
  const { flagged, score, botd, fpscanner } = judge(measured)
  const word = (answer: boolean | undefined): string =>
    answer === undefined ? 'failed' : answer ? 'yes' : 'no'
  return `Inkling ${word(flagged)} (${score}), BotD ${word(botd)}, fpscanner ${word(fpscanner)}, ${seconds} s`
}

async function report(): Promise<void> {
  const results = await readResults()
  const names = [...new Set(ALL.flatMap(({ packages = [] }) => packages))].sort()
  const packages = [...PEERS, ...names].map(async (name) => `${name} ${await packageVersion(name)}`)
  const text = detectionReport({
    configurations: CONFIGURATIONS,
    controls: CONTROLS,
    results,
    versions: [
      await browserVersion('chromium'),
      await browserVersion('firefox'),
      ...(await Promise.all(packages)),
    ],
    machine: describeMachine(),
  })
  await mkdir(new URL('.', DOCUMENT), { recursive: true })
  await writeFile(DOCUMENT, text)
}

if (!options.report) await measure(tasks())
await report()
