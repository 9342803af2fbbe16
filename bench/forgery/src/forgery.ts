import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { describeMachine } from '../../src/lib/describe-machine.ts'
import { progress } from '../../src/lib/progress.ts'
import { FORGERS } from '../forgers/index.ts'
import { HONEST } from '../honest/index.ts'
import { wrapBrowsers } from './browser.ts'
import type { Case } from './case.ts'
import { makeCertificates } from './certificates.ts'
import { type Installation, type InstallationName, openInstallation } from './installation.ts'
import { forgeryReport } from './report/forgery-report.ts'
import { versions } from './report/versions.ts'
import { addResult, readBefore, readResults, writeResults } from './results-file.ts'
import { endRun, type Result, runCase } from './run-case.ts'
import { openSite } from './site.ts'
import { sendCustomers, sendTraffic } from './traffic.ts'

const HELP = `Measures which forged visits Inkling believes, and which honest ones it accuses.

  npm run bench:forgery -- [options]

  --only ID,ID   runs these cases, or families, and keeps the results of the others
  --runs N       of each case; 1 by default
  --network-check  also runs the network check, whose packets come from 127.0.0.1 for everybody
  --report       measures nothing and writes docs/accuracy/forgery.md again
  --help         shows this text and all cases
`

const { values: options } = parseArgs({
  options: {
    only: { type: 'string', default: '' },
    runs: { type: 'string', default: '1' },
    'network-check': { type: 'boolean', default: false },
    report: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
})

const DOCUMENT = new URL('../../../docs/accuracy/forgery.md', import.meta.url)
/** People first, so that nothing that forgers did can be counted against them. */
const ALL: readonly Case[] = [...HONEST, ...FORGERS]
const ORDINARY = ['chromium', 'firefox'].map(caseOf)

function caseOf(name: string): Case {
  const found = ALL.find(({ id }) => id === name)
  if (!found) throw new Error(`no case ${name}`)
  return found
}

function wantedCases(): readonly Case[] {
  const names = options.only.split(',').filter((name) => name !== '')
  const strange = names.filter((name) => !ALL.some(({ id, family }) => id === name || family === name))
  if (strange.length > 0) throw new Error(`no case ${strange.join(', ')}`)
  if (names.length === 0) return ALL
  return ALL.filter(({ id, family }) => names.includes(id) || names.includes(family))
}

interface Task {
  one: Case
  run: number
}

/** One installation after the other, and what moves its clock last. */
function tasksOf(cases: readonly Case[]): Map<InstallationName, Task[]> {
  const inOrder = cases.toSorted((a, b) => Number(a.movesClock ?? false) - Number(b.movesClock ?? false))
  const runs = Array.from({ length: Number(options.runs) }, (_, index) => index + 1)
  return Map.groupBy(
    inOrder.flatMap((one) => runs.map((run) => ({ one, run }))),
    ({ one }) => one.at ?? 'tls',
  )
}

async function measure(): Promise<void> {
  const cases = wantedCases()
  const isMeasuredNow = ({ id }: Result): boolean => cases.some((one) => one.id === id)
  await writeResults((await readResults()).filter((result) => !isMeasuredNow(result)))
  const folder = await mkdtemp(join(tmpdir(), 'inkling-forgery-'))
  try {
    const certificates = await makeCertificates(folder)
    const environment = await wrapBrowsers(folder, certificates.nssFolder)
    const site = await openSite(certificates)
    try {
      for (const [name, tasks] of tasksOf(cases)) {
        const installation = await openInstallation(name, {
          certificates,
          site,
          networkCheck: options['network-check'],
        })
        site.cache.upstream = installation.scriptUrl
        try {
          await runTasks({ site, environment }, installation, tasks)
        } finally {
          await installation.close()
        }
      }
    } finally {
      site.close()
    }
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 5 })
  }
}

/** So many cases may come between two times of the shop's other traffic. */
const CASES_BETWEEN = 8

async function runTasks(
  bench: Parameters<typeof runCase>[0],
  installation: Installation,
  tasks: readonly Task[],
): Promise<void> {
  const startedAtMs = Date.now()
  const firstForger = tasks.findIndex(({ one }) => one.kind === 'forger')
  for (const [index, { one, run }] of tasks.entries()) {
    if (index === firstForger && installation.name === 'tls')
      await sendCustomers(bench, installation, ORDINARY, { startedAtMs, firstNumber: tasks.length })
    if (index % CASES_BETWEEN === 0) await sendTraffic(installation, 'shop.example')
    const result = await runCase(bench, installation, one, { run, number: index })
    await addResult(result)
    progress(`${installation.name} ${index + 1}/${tasks.length} ${one.id} ${run}: ${describe(result)}`)
  }
}

function describe({ verdict, error, skipped, seconds, remarks = [] }: Result): string {
  if (!verdict) return `${error ? `error, ${error}` : `skipped, ${skipped}`}`
  const entries = verdict.entries.map(({ name, points }) => `${name} ${points}`)
  return [`${verdict.score} (${entries.join(', ')}), ${seconds} s`, ...remarks].join('; ')
}

for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => void endRun().finally(() => process.exit(130)))

async function report(): Promise<void> {
  const text = forgeryReport({
    cases: ALL,
    results: await readResults(),
    before: await readBefore(),
    versions: await versions(),
    machine: describeMachine(),
  })
  await mkdir(new URL('.', DOCUMENT), { recursive: true })
  await writeFile(DOCUMENT, text)
}

if (options.help) {
  process.stdout.write(HELP)
  for (const { id, family, title } of ALL) process.stdout.write(`  ${id}  ${title} (${family})\n`)
} else {
  if (!options.report) await measure()
  await report()
}
