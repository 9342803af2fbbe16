import type { Reading, ReadingName, ReportedReadings } from '@inkling/contract'
import type { Sources } from '../sources/index.ts'
import { portable } from './portable.ts'
import { turns } from './turns.ts'
import { Unsupported } from './unsupported.ts'
import { within } from './within.ts'

export interface Collection {
  /** Grows while sources answer, so that a page that is being left can send what is there. */
  readings: ReportedReadings
  /** Resolves, never rejects, once every source has its reading. */
  done: Promise<void>
}

/** Those that start a thread, wait for another process, or let the page have its turn in between. */
const LONGER_LIMITS_MS: { [Name in ReadingName]?: number } = {
  worker: 900,
  audio: 900,
  webgl: 900,
  canvas: 900,
  fonts: 900,
  client_hints: 600,
  media_devices: 600,
  storage: 600,
}

export interface CollectOptions {
  totalLimitMs?: number
  timeLimitMs?: number
  /** For sources that need more than `timeLimitMs`. */
  longerLimitsMs?: typeof LONGER_LIMITS_MS
  /** How long sources may run in one go before the page gets its turn. */
  sliceMs?: number
}

/** Runs the sources in their order. One that breaks or hangs costs its own reading and nothing else. */
export function collect(
  sources: Partial<Sources>,
  {
    totalLimitMs = 1_000,
    timeLimitMs = 300,
    longerLimitsMs = LONGER_LIMITS_MS,
    sliceMs = 10,
  }: CollectOptions = {},
): Collection {
  const readings: Partial<Record<ReadingName, Reading<unknown>>> = {}
  const names = Object.keys(sources) as ReadingName[]
  let over = false

  const keep = async (name: ReadingName): Promise<void> => {
    const reading = await read(sources[name], longerLimitsMs[name] ?? timeLimitMs)
    // What comes too late must not change what may have been sent.
    if (!over) readings[name] = reading
  }
  const keepAll = async (): Promise<void> => {
    const pending: Promise<void>[] = []
    const turn = turns(sliceMs)
    for (const name of names) {
      if (over) return
      pending.push(keep(name))
      await turn()
    }
    await Promise.all(pending)
  }
  const done = within(totalLimitMs, keepAll(), undefined).then(() => {
    over = true
    for (const name of names) readings[name] ??= { error: 'timeout' }
  })
  // `Sources` binds each name to its value; only the loop above loses sight of that.
  return { readings: readings as ReportedReadings, done }
}

const LATE = Symbol()

async function read(source: (() => unknown) | undefined, limitMs: number): Promise<Reading<unknown>> {
  try {
    const value = await within(limitMs, source?.(), LATE)
    return value === LATE ? { error: 'timeout' } : { value: portable(value) }
  } catch (error) {
    return { error: error instanceof Unsupported ? 'unsupported' : 'failed' }
  }
}
