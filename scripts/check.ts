import { availableParallelism } from 'node:os'
import { run } from './run.ts'

/** Static checks: format, lint, types, generated files and import directions; the longest first. */
const CHECKS: readonly { name: string; args: readonly string[] }[] = [
  { name: 'types', args: ['tsc', '-p', 'tsconfig.json'] },
  // Together, because each would check the server again.
  { name: 'types of browser tests and benchmarks', args: ['tsc', '-p', 'tsconfig.tests.json'] },
  { name: 'documentation site', args: ['vitepress', 'build', 'docs'] },
  { name: 'types of browser code', args: ['tsc', '-p', 'tsconfig.browser.json'] },
  { name: 'format and lint', args: ['biome', 'check', '--error-on-warnings', '.'] },
  { name: 'generated signals', args: ['node', 'scripts/generate-signals.ts', '--check'] },
  { name: 'generated documentation', args: ['node', 'scripts/generate-docs.ts', '--check'] },
  { name: 'generated contract', args: ['node', 'scripts/generate-contract.ts', '--check'] },
  { name: 'list of sources', args: ['node', 'packages/agent/list-sources.ts', '--check'] },
  { name: 'import directions', args: ['vitest', 'run', 'test/imports.test.ts'] },
]

export interface CheckResult {
  name: string
  ok: boolean
}

/** Runs all checks even if one fails, so that one run shows all problems; as many at a time as there are processors. */
export async function check(): Promise<CheckResult[]> {
  const results: CheckResult[] = []
  const waiting = CHECKS.values()
  async function runWaiting(): Promise<void> {
    for (const { name, args } of waiting) {
      const [program = '', ...rest] = args
      const { ok, output } = await run(`node_modules/.bin/${program}`, rest)
      console.log(`${ok ? 'ok  ' : 'FAIL'}  ${name}`)
      if (!ok) console.log(output)
      results.push({ name, ok })
    }
  }
  await Promise.all(Array.from({ length: availableParallelism() }, runWaiting))
  return results
}

if (import.meta.main) {
  const results = await check()
  if (results.some(({ ok }) => !ok)) process.exitCode = 1
}
