import { setTimeout as sleep } from 'node:timers/promises'
import { clockMs } from '../lib/clock.ts'
import { createVisits } from './create-visits.ts'
import { openLane } from './open-lane.ts'
import type { VisitTemplate } from './visit-templates.ts'

/** Enough connections that a slow response does not delay the next visit. */
const LANES = 16

export interface SentVisit {
  requestId: string
  /** Times of `clockMs`. */
  sentAt: number
  acknowledgedAt: number
}

export interface SendSteadilyOptions {
  port: number
  templates: readonly VisitTemplate[]
  perSecond: number
  seconds: number
  /** Runs after each acknowledgment without delaying other visits. */
  acknowledged?(visit: SentVisit): Promise<void>
}

/** Sends at a fixed rate far below capacity, to measure latency without queueing. */
export async function sendSteadily(options: SendSteadilyOptions): Promise<SentVisit[]> {
  const startedAt = clockMs()
  const shares = await Promise.all(
    Array.from({ length: LANES }, (_, lane) => driveLane(lane, startedAt, options)),
  )
  return shares.flat()
}

/** Sends every sixteenth visit. */
async function driveLane(
  first: number,
  startedAt: number,
  { port, templates, perSecond, seconds, acknowledged }: SendSteadilyOptions,
): Promise<SentVisit[]> {
  const lane = await openLane(port)
  const nextVisit = createVisits(templates)
  const sent: SentVisit[] = []
  const afterwards: Promise<void>[] = []
  for (let index = first; index < perSecond * seconds; index += LANES) {
    await sleep(Math.max(0, startedAt + (index * 1_000) / perSecond - clockMs()))
    const { requestId, bytes } = nextVisit()
    const sentAt = clockMs()
    const status = await lane.send(bytes)
    if (status !== 200) throw new Error(`the server answered ${status}`)
    const visit = { requestId, sentAt, acknowledgedAt: clockMs() }
    sent.push(visit)
    if (acknowledged) afterwards.push(acknowledged(visit))
  }
  lane.close()
  await Promise.all(afterwards)
  return sent
}
