import { setTimeout as sleep } from 'node:timers/promises'
import { clockMs } from '../lib/clock.ts'
import { createVisits } from './create-visits.ts'
import { openLane } from './open-lane.ts'
import type { VisitTemplate } from './visit-templates.ts'

export interface HoldRateOptions {
  /** Connections take turns in them. */
  ports: readonly number[]
  templates: readonly VisitTemplate[]
  perSecond: number
  seconds: number
  /** Connections: visits that may be under way at once. */
  concurrency: number
  /** @param latencyMs from when the visit was due: waiting for a free connection is counted */
  answered(status: number, latencyMs: number): void
}

/** Sends at a fixed rate whatever the answers take, as visitors come. */
export async function holdRate(options: HoldRateOptions): Promise<void> {
  const { ports, templates, perSecond, seconds, concurrency, answered } = options
  const visits = Math.floor(perSecond * seconds)
  const startedAt = clockMs()
  let next = 0

  async function drive(port: number): Promise<void> {
    const lane = await openLane(port)
    const nextVisit = createVisits(templates)
    for (let number = next++; number < visits; number = next++) {
      const dueAt = startedAt + (number * 1_000) / perSecond
      const earlyMs = dueAt - clockMs()
      if (earlyMs > 0) await sleep(earlyMs)
      const status = await lane.send(nextVisit().bytes)
      answered(status, clockMs() - dueAt)
    }
    lane.close()
  }

  await Promise.all(
    Array.from({ length: concurrency }, (_, index) => drive(ports[index % ports.length] ?? 0)),
  )
}
