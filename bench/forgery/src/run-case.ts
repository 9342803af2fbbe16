import { execFileSync } from 'node:child_process'
import { type OpenDisplay, openDisplay } from '../../detection/src/open-display.ts'
import { openRunFolder } from '../../detection/src/run-folder.ts'
import { startAttempt } from './attempt.ts'
import type { Case } from './case.ts'
import { type Installation, SHOP } from './installation.ts'
import type { Site } from './site.ts'
import type { Verdict } from './verdict.ts'

export interface Result {
  id: string
  run: number
  /** ISO 8601, UTC. */
  at: string
  seconds: number
  /** The commit that was measured; empty outside of a repository. */
  commit: string
  /** Whether the network check was on; undefined in results of earlier releases. */
  networkCheck?: boolean
  verdict?: Verdict
  remarks?: string[]
  /** Why there is no measurement. Such a run is not counted. */
  error?: string
  /** What this machine lacks for it. */
  skipped?: string
}

export interface Bench {
  site: Site
  /** Environment in which the browsers are found. */
  environment: Record<string, string>
}

const RUN_LIMIT_MS = 60_000

export const COMMIT = commit()

function commit(): string {
  try {
    const args = ['rev-parse', '--short', 'HEAD']
    return execFileSync('git', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim()
  } catch {
    return ''
  }
}

/** Runs a case once. Failures become the error of the result. */
export async function runCase(
  bench: Bench,
  installation: Installation,
  one: Case,
  { run, number }: { run: number; number: number },
): Promise<Result> {
  const startedAt = Date.now()
  const outcome = await attempt(bench, installation, one, number).catch((error: unknown) => ({
    error: (error instanceof Error ? error.message : String(error)).slice(0, 300),
  }))
  return {
    id: one.id,
    run,
    at: new Date(startedAt).toISOString(),
    seconds: Math.round((Date.now() - startedAt) / 100) / 10,
    commit: COMMIT,
    networkCheck: installation.networkCheck,
    ...outcome,
  }
}

/** Ends what the current run has started; nothing between runs. */
export let endRun = async (): Promise<void> => undefined

async function attempt(
  { site, environment }: Bench,
  installation: Installation,
  one: Case,
  number: number,
): Promise<Pick<Result, 'verdict' | 'remarks' | 'skipped'>> {
  const skipped = await one.missing?.()
  if (skipped !== undefined) return { skipped }
  const folder = openRunFolder()
  const before = { ...process.env }
  // One run at a time, so that browsers and tools can inherit it from this process.
  Object.assign(process.env, folder.env, environment)
  let display: OpenDisplay | undefined
  const remarks: string[] = []
  const limit = Promise.withResolvers<never>()
  endRun = async () => {
    await folder.close()
    await display?.close()
  }
  const timer = setTimeout(
    () => limit.reject(new Error(`no verdict within ${RUN_LIMIT_MS / 1_000} s`)),
    RUN_LIMIT_MS,
  )
  try {
    const attempt = startAttempt({
      installation,
      site,
      folder: folder.path,
      domain: one.domain ?? SHOP,
      number,
      async showScreen(kind) {
        display ??= await openDisplay(kind)
        process.env.DISPLAY = display.name
      },
      remark: (text) => remarks.push(text),
    })
    const requestId = await Promise.race([one.run(attempt), limit.promise])
    const verdict = await attempt.verdict(requestId)
    return { verdict, ...(remarks.length > 0 && { remarks }) }
  } finally {
    clearTimeout(timer)
    await endRun()
    endRun = async () => undefined
    for (const name of Object.keys(process.env)) if (!(name in before)) delete process.env[name]
    Object.assign(process.env, before)
  }
}
