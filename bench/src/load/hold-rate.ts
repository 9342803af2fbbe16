import { setTimeout as sleep } from 'node:timers/promises'
import { clockMs } from '../lib/clock.ts'
import { createVisits } from './create-visits.ts'
import { openLane } from './open-lane.ts'
import type { VisitTemplate } from './visit-templates.ts'

export interface HoldRateOptions {
  /** Shared by the connections in turn. */
  ports: readonly number[]
  templates: readonly VisitTemplate[]
  perSecond: number
  seconds: number
  /** Connections, which limit the visits in flight. */
  concurrency: number
  /** @param latencyMs since the visit was due, including the wait for a free connection */
  answered(status: number, latencyMs: number): void
}

/** Sends at a fixed rate independent of response times, as real visitors do. */
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
