import { createVisits } from './create-visits.ts'
import { type Lane, openLane } from './open-lane.ts'
import type { VisitTemplate } from './visit-templates.ts'

export interface SaturateOptions {
  /** Shared by the connections in turn. */
  ports: readonly number[]
  templates: readonly VisitTemplate[]
  concurrency: number
  seconds: number
  /** Share of first visits. */
  newcomers?: number | undefined
  /** Called with each acknowledged request ID. */
  acknowledged?(requestId: string): void
}

export interface Saturated {
  acknowledged: number
  /** Responses with a status other than 200, and broken connections. */
  failed: number
  perSecond: number
  latenciesMs: number[]
}

/**
 * Keeps `concurrency` requests in flight; each connection sends its next request after the response to the
 * last one.
 */
export async function saturate(options: SaturateOptions): Promise<Saturated> {
  const { ports, concurrency } = options
  const lanes = await Promise.all(
    Array.from({ length: concurrency }, (_, index) => openLane(ports[index % ports.length] ?? 0)),
  )
  const startedAt = performance.now()
  const until = startedAt + options.seconds * 1_000
  const shares = await Promise.all(lanes.map((lane) => drive(lane, until, options)))
  const elapsedMs = performance.now() - startedAt
  for (const lane of lanes) lane.close()

  const latenciesMs = shares.flatMap((share) => share.latenciesMs)
  return {
    acknowledged: latenciesMs.length,
    failed: shares.reduce((total, share) => total + share.failed, 0),
    perSecond: (latenciesMs.length * 1_000) / elapsedMs,
    latenciesMs,
  }
}

async function drive(lane: Lane, until: number, { templates, newcomers, acknowledged }: SaturateOptions) {
  const nextVisit = createVisits(templates, { newcomers })
  const latenciesMs: number[] = []
  let failed = 0
  try {
    for (let now = performance.now(); now < until; ) {
      const { requestId, bytes } = nextVisit()
      const status = await lane.send(bytes)
      const answeredAt = performance.now()
      if (status === 200) {
        latenciesMs.push(answeredAt - now)
        acknowledged?.(requestId)
      } else failed += 1
      now = answeredAt
    }
  } catch {
    // The connection broke. Whether this visit was stored is unknown, and no more can follow.
    failed += 1
  }
  return { latenciesMs, failed }
}
