/** What a running process knows of itself and of the machine below it. */
export interface RunningState {
  version: string
  startedAtMs: number
  /** From an identification that was read to one that is scored and on disk. */
  latency: Pick<LatencyRecord, 'minutes'>
  /** Visits whose later checks may still report. */
  followUps(): number
  /** Ways to see a connection from below. */
  sources: readonly { source: string; available: boolean; reason: string }[]
  installation(): Promise<readonly { check: string; ok: boolean; detail: string }[]>
  storage(): Promise<{ bytes: number; freeBytes: number | undefined }>
  retention: { days: number; last(): { endedAtMs: number; removed: number } | undefined }
}

/** What was done in one minute, and how long it took. */
export interface MinuteOfWork {
  /** Its start, Unix milliseconds. */
  atMs: number
  count: number
  /** Milliseconds within which half, and 99 of 100, were done; undefined without any. */
  p50Ms: number | undefined
  p99Ms: number | undefined
}

/** Counts work and how long it takes, minute by minute, in memory of a fixed size. */
export interface LatencyRecord {
  add(endedAtMs: number, durationMs: number): void
  /** The last whole minutes, oldest first. */
  minutes(nowMs: number): MinuteOfWork[]
}

const MINUTE_MS = 60_000
const MINUTES = 10
/** Four steps to a factor of two: a duration is told up to 19 % too long, never too short. */
const STEPS_PER_OCTAVE = 4
/** Up to about a minute. */
const STEPS = 64

const stepOf = (durationMs: number): number =>
  Math.min(STEPS - 1, Math.max(0, Math.ceil(Math.log2(durationMs) * STEPS_PER_OCTAVE)))

/** Upper end, with one decimal place. */
const durationOf = (step: number): number => Math.round(2 ** (step / STEPS_PER_OCTAVE) * 10) / 10

interface Minute {
  number: number
  counts: Uint32Array
}

export function createLatencyRecord(): LatencyRecord {
  // One more than is told, for the minute that is not over.
  const ring: (Minute | undefined)[] = Array.from({ length: MINUTES + 1 })

  function minuteAt(number: number): Minute {
    const place = number % ring.length
    const known = ring[place]
    if (known?.number === number) return known
    const fresh = { number, counts: new Uint32Array(STEPS) }
    ring[place] = fresh
    return fresh
  }

  return {
    add(endedAtMs, durationMs) {
      const { counts } = minuteAt(Math.floor(endedAtMs / MINUTE_MS))
      const step = stepOf(durationMs)
      counts[step] = (counts[step] ?? 0) + 1
    },
    minutes(nowMs) {
      const current = Math.floor(nowMs / MINUTE_MS)
      return Array.from({ length: MINUTES }, (_, index) => {
        const number = current - MINUTES + index
        const known = ring[number % ring.length]
        return summarise(number, known?.number === number ? known.counts : new Uint32Array(STEPS))
      })
    },
  }
}

function summarise(number: number, counts: Uint32Array): MinuteOfWork {
  const count = counts.reduce((sum, ofStep) => sum + ofStep, 0)
  return {
    atMs: number * MINUTE_MS,
    count,
    p50Ms: quantile(counts, count * 0.5),
    p99Ms: quantile(counts, count * 0.99),
  }
}

function quantile(counts: Uint32Array, rank: number): number | undefined {
  if (rank === 0) return undefined
  let seen = 0
  for (const [step, ofStep] of counts.entries()) {
    seen += ofStep
    if (seen >= rank) return durationOf(step)
  }
  return undefined
}
