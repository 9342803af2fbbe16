import { readFile, rm } from 'node:fs/promises'
import { type CheckResult, check } from './check.ts'
import { ensureBrowsers } from './ensure-browsers.ts'
import { ensureNetworkTools } from './ensure-network-tools.ts'
import { ensureValkey } from './ensure-valkey.ts'
import { run } from './run.ts'

/**
 * Runs the whole test suite: installs what it needs, runs the static checks, builds, and runs all tests.
 * Ends with a line `N passed, N failed`.
 */
const REPORT = 'node_modules/.vitest-report.json'

interface Report {
  numPassedTests: number
  numFailedTests: number
  numPendingTests: number
  numFailedTestSuites: number
}

async function runTests(): Promise<Report> {
  await rm(REPORT, { force: true })
  const { ok, how, output } = await run(
    'node_modules/.bin/vitest',
    ['run', '--reporter=default', '--reporter=json', `--outputFile.json=${REPORT}`],
    { show: true },
  )
  const text = await readFile(REPORT, 'utf8').catch(() => undefined)
  if (text === undefined) throw new Error(`the test runner wrote no report (${how})\n${output.slice(-2_000)}`)
  const report = JSON.parse(text) as Report
  // A suite that fails to load contains no tests, and an error outside of a test belongs to no suite.
  const unaccounted = !ok && report.numFailedTests === 0 ? Math.max(1, report.numFailedTestSuites) : 0
  return { ...report, numFailedTests: report.numFailedTests + unaccounted }
}

async function buildAndCheck(): Promise<CheckResult[]> {
  const built = await run('node_modules/.bin/node', ['scripts/build.ts'], { show: true })
  return [{ name: 'build', ok: built.ok }, ...(await check())]
}

/** One after the other, because only one apt can run at a time. */
async function install(): Promise<void> {
  await ensureBrowsers()
  await ensureNetworkTools()
  await ensureValkey()
}

// Installing waits for the network, checking for the processor.
const [checks] = await Promise.all([buildAndCheck(), install()])
const report = await runTests()

const passed = report.numPassedTests + checks.filter(({ ok }) => ok).length
const failed = report.numFailedTests + checks.filter(({ ok }) => !ok).length
const skipped = report.numPendingTests > 0 ? `, ${report.numPendingTests} skipped` : ''
if (process.env.TEST_DATABASE_URL === undefined)
  console.log('left out: tests on your own database or Citus cluster (npm run test:database -- postgres://…)')
console.log(`${passed} passed, ${failed} failed${skipped}`)
if (failed > 0) process.exitCode = 1
