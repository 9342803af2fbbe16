import { setTimeout as sleep } from 'node:timers/promises'
import { createVisits } from './create-visits.ts'
import { type Lane, openLane } from './open-lane.ts'
import type { VisitTemplate } from './visit-templates.ts'

export interface KeepLoadingOptions {
  ports: readonly number[]
  templates: readonly VisitTemplate[]
  /** Connections to each port, with one request each. */
  lanes: number
  acknowledged(requestId: string): void
}

export interface LoadCount {
  /** Responses with status 503. */
  refused: number
  /** Connections that broke during a request; it is unknown whether it was stored. */
  broken: number
  /** Other responses by status. */
  other: Record<string, number>
}

/** Delay before reconnecting, so that a dead server is not flooded with connection attempts. */
const AGAIN_MS = 50
/** Requests that are still open this long after the end of the load are closed and count as broken. */
const LAST_ANSWER_MS = 60_000

interface Load extends KeepLoadingOptions {
  stopped: boolean
  open: Set<Lane>
  count: LoadCount
}

/** Loads servers that may restart, until stopped: broken connections are reopened. */
export function keepLoading(options: KeepLoadingOptions): { stop(): Promise<LoadCount> } {
  const count: LoadCount = { refused: 0, broken: 0, other: {} }
  const load: Load = { ...options, stopped: false, open: new Set(), count }
  const lanes = options.ports.flatMap((port) =>
    Array.from({ length: options.lanes }, () => keepLane(port, load)),
  )
  return {
    async stop() {
      load.stopped = true
      const timer = setTimeout(() => {
        for (const lane of load.open) lane.close()
      }, LAST_ANSWER_MS)
      await Promise.all(lanes)
      clearTimeout(timer)
      return count
    },
  }
}

async function keepLane(port: number, load: Load): Promise<void> {
  const nextVisit = createVisits(load.templates)
  while (!load.stopped) {
    const lane = await openLane(port).catch(() => undefined)
    if (!lane) {
      await sleep(AGAIN_MS)
      continue
    }
    load.open.add(lane)
    await driveLane(lane, nextVisit, load)
    load.open.delete(lane)
    lane.close()
  }
}

/** Runs until the load is stopped or the connection breaks. */
async function driveLane(lane: Lane, nextVisit: ReturnType<typeof createVisits>, load: Load): Promise<void> {
  while (!load.stopped) {
    const { requestId, bytes } = nextVisit()
    const status = await lane.send(bytes).catch(() => undefined)
    if (status === 200) load.acknowledged(requestId)
    else if (status === undefined) {
      load.count.broken += 1
      return
    } else {
      if (status === 503) load.count.refused += 1
      else load.count.other[status] = (load.count.other[status] ?? 0) + 1
      await sleep(AGAIN_MS)
    }
  }
}
