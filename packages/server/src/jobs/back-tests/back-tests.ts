import { randomUUID } from 'node:crypto'
import type { z } from 'zod'
import { repeat } from '../../lib/repeat.ts'
import { type BackTestRow, type BackTestRun, backTestStore, hasLapsed } from '../../store/back-tests.ts'
import type { Store } from '../../store/store.ts'

/** What every node knows of a domain's latest back-test. */
export interface BackTestState<Body> {
  state: BackTestRow['state']
  /** Why it failed. */
  error: string | null
  startedAtMs: number
  endedAtMs: number | null
  /** What is tested and what was found, so far while it runs. */
  body: Body
}

interface RunContext<Body> {
  startedAtMs: number
  signal: AbortSignal
  /** Called whenever there is more; it is read when the others are told. */
  onProgress(read: () => Body): void
}

/** One kind of back-test: of weights, or of the rules that decide. */
export interface BackTestKind<Domain, Request, Body> {
  name: 'weights' | 'decisions'
  /** Another release may have stored another form of it. */
  body: z.ZodType<Body>
  first(request: Request): Body
  run(domain: Domain, request: Request, context: RunContext<Body>): Promise<Body>
}

/** The back-tests of an installation. Each domain runs one of a kind at a time, on any node, and keeps the latest. */
export interface BackTests<Domain, Request, Body> {
  /** Undefined while the domain is running another one. */
  start(domain: Domain, request: Request): Promise<BackTestState<Body> | undefined>
  latest(domainId: number): Promise<BackTestState<Body> | undefined>
  /** Resolves when it counts as cancelled; another node stops at its next beat. */
  cancel(domainId: number): Promise<void>
  /** Cancels those of this node. */
  close(): Promise<void>
}

export interface BackTestDeps {
  store: Store
  now(): number
  warn(message: string, error: unknown): void
}

interface LocalRun {
  stop: AbortController
  ended: Promise<void>
}

/** How often a node tells how far it is, and learns that it should stop. */
const BEAT_MS = 1_000

const NODE_STOPPED = 'The server that ran it stopped before it was done. Start it again.'
const SEE_LOG = 'See the server’s log.'

export function createBackTests<Domain extends { id: number }, Request, Body>(
  { store, now, warn }: BackTestDeps,
  kind: BackTestKind<Domain, Request, Body>,
): BackTests<Domain, Request, Body> {
  const local = new Map<string, LocalRun>()
  const rows = backTestStore(store.claims)

  async function run(
    domain: Domain,
    request: Request,
    stop: AbortController,
    of: BackTestRun,
    startedAtMs: number,
  ) {
    let read = () => kind.first(request)
    const beats = repeat(
      BEAT_MS,
      async () => {
        if (!(await rows.beat(of, JSON.stringify(read()), now()))) stop.abort()
      },
      (error) => warn('the progress of a back-test could not be stored', error),
    )
    const outcome = await kind
      .run(domain, request, { startedAtMs, signal: stop.signal, onProgress: (next) => (read = next) })
      .then(
        (body) => ({ state: 'done' as const, body }),
        (error: unknown) => {
          if (!stop.signal.aborted) warn(`a back-test of ${kind.name} failed`, error)
          return { state: stop.signal.aborted ? ('cancelled' as const) : ('failed' as const), body: read() }
        },
      )
    await beats.stop()
    await rows
      .end(of, { state: outcome.state, body: JSON.stringify(outcome.body) }, now())
      .catch((error: unknown) => warn('the result of a back-test could not be stored', error))
    local.delete(of.run)
  }

  function presentRow(row: BackTestRow): BackTestState<Body> | undefined {
    const body = kind.body.safeParse(JSON.parse(row.body))
    if (!body.success) return undefined
    const lapsed = hasLapsed(row, now())
    return {
      state: lapsed ? 'failed' : row.state,
      error: lapsed ? NODE_STOPPED : row.state === 'failed' ? SEE_LOG : null,
      startedAtMs: row.started_at,
      endedAtMs: lapsed ? row.seen_at : row.ended_at,
      body: body.data,
    }
  }

  async function stopLocal(runs: readonly LocalRun[]): Promise<void> {
    for (const { stop } of runs) stop.abort()
    await Promise.all(runs.map(({ ended }) => ended))
  }

  return {
    async start(domain, request) {
      const of: BackTestRun = { domain_id: domain.id, kind: kind.name, run: randomUUID() }
      const row = await rows.begin(of, JSON.stringify(kind.first(request)), now())
      if (!row) return undefined
      const stop = new AbortController()
      local.set(of.run, { stop, ended: run(domain, request, stop, of, row.started_at) })
      return presentRow(row)
    },

    async latest(domainId) {
      const row = await rows.latest(domainId, kind.name)
      return row && presentRow(row)
    },

    async cancel(domainId) {
      const row = await rows.latest(domainId, kind.name)
      await rows.cancel(domainId, kind.name, now())
      const mine = row && local.get(row.run)
      if (mine) await stopLocal([mine])
    },

    close: () => stopLocal([...local.values()]),
  }
}
