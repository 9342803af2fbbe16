import { setTimeout as sleep } from 'node:timers/promises'
import { clockMs } from '../lib/clock.ts'
import { createVisits } from './create-visits.ts'
import { openLane } from './open-lane.ts'
import type { VisitTemplate } from './visit-templates.ts'

/** So many connections take turns that a slow answer does not hold up the next visit. */
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
  /** Runs right after each acknowledgment and holds up no other visit. */
  acknowledged?(visit: SentVisit): Promise<void>
}

/** Sends at a fixed rate, far below what the server can take: how long things take when nobody queues. */
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
