import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { type BenchSite, finalVerdict } from './bench-site.ts'
import type { Configuration } from './configuration.ts'
import { type InklingVerdict, readVerdict } from './inkling-verdict.ts'
import { openDisplay } from './open-display.ts'
import type { PeerVerdicts } from './page/ask-peers.ts'
import type { PageFacts } from './page/page-facts.ts'
import type { InputFacts } from './page/watch-input.ts'
import { startVisit } from './run-process.ts'
import type { Service } from './start-service.ts'

export interface Bench {
  site: BenchSite
  service: Service
}

export interface Measured extends PeerVerdicts {
  /** Requested when the page was opened, read when its event arrived. */
  load: InklingVerdict
  /** Requested when the form was submitted. */
  action?: InklingVerdict
  facts: PageFacts
  input?: InputFacts
}

export interface RunResult {
  id: string
  run: number
  /** ISO 8601, UTC. */
  at: string
  seconds: number
  measured?: Measured
  /** Why there is no measurement. Such a run is not counted. */
  error?: string
}

const RUN_LIMIT_MS = 90_000
/** Time for the driver to close its browser; then both are killed. */
const LEAVE_LIMIT_MS = 5_000

/** Measures one visit. Failures become the error of the result. */
export async function measureRun(
  bench: Bench,
  configuration: Configuration,
  run: number,
): Promise<RunResult> {
  const startedAt = Date.now()
  const outcome = await visitOnce(bench, configuration).then(
    (measured) => ({ measured }),
    (error: unknown) => ({ error: error instanceof Error ? error.message : String(error) }),
  )
  return {
    id: configuration.id,
    run,
    at: new Date(startedAt).toISOString(),
    seconds: Math.round((Date.now() - startedAt) / 100) / 10,
    ...outcome,
  }
}

async function visitOnce(bench: Bench, configuration: Configuration): Promise<Measured> {
  const { board, origin } = bench.site
  const visit = randomUUID()
  const display = await openDisplay(configuration.display)
  const driver = startVisit(configuration, { visit, origin, display: display.name })
  const limit = Promise.withResolvers<never>()
  const timer = setTimeout(() => limit.reject(new Error(whereItStuck(bench, visit))), RUN_LIMIT_MS)
  try {
    const measured = await Promise.race([
      collect(bench, configuration, visit),
      driver.done.then(() => Promise.reject(new Error('the driver exited before the verdict'))),
      board.wait(visit, 'failed').then((note) => Promise.reject(new Error(JSON.stringify(note)))),
      limit.promise,
    ])
    board.post(visit, 'final', true)
    await Promise.race([driver.done.catch(() => undefined), pause(LEAVE_LIMIT_MS, undefined, { ref: false })])
    return measured
  } finally {
    clearTimeout(timer)
    await driver.end()
    await display.close()
  }
}

async function collect(
  { site: { board }, service }: Bench,
  { acts }: Configuration,
  visit: string,
): Promise<Measured> {
  const verdict = async (requestId: string): Promise<InklingVerdict> => {
    await finalVerdict(board, requestId)
    return readVerdict(service, requestId)
  }
  const loaded = (await board.wait(visit, 'loaded')) as { requestId: string; facts: PageFacts }
  // Input refines the row, so there is none before it was read.
  const load = await verdict(loaded.requestId)
  const peers = (await board.wait(visit, 'measured')) as PeerVerdicts
  board.post(visit, 'ready', true)
  const rest = { ...peers, facts: loaded.facts }
  if (!acts) return { load, ...rest }

  const acted = (await board.wait(visit, 'acted')) as { requestId: string; input: InputFacts }
  const action = await verdict(acted.requestId)
  return { load, action, ...rest, input: acted.input }
}

const NOTES = ['loaded', 'measured', 'acted'] as const

function whereItStuck({ site }: Bench, visit: string): string {
  const last = NOTES.findLast((name) => site.board.latest(visit, name) !== undefined)
  return `no verdict within ${RUN_LIMIT_MS / 1_000} s; the last note of the page was ${last ?? 'none'}`
}
