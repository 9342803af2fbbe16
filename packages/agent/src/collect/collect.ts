import type { Reading, ReadingName, ReportedReadings } from '@inkling/contract'
import { toJson } from './json.ts'
import { type Sources, Unsupported } from './source.ts'
import { turns, within } from './turns.ts'

export interface Collection {
  /** Grows as sources answer, so that a page that is being left can send what is there. */
  readings: ReportedReadings
  /** Resolves, never rejects, once every source has its reading. */
  done: Promise<void>
}

export interface CollectOptions {
  /** A source that has not answered by then has timed out. */
  limitMs?: number
  /** How long sources may run before the page gets its turn. */
  sliceMs?: number
}

/** Runs the sources in their order. A source that breaks or hangs costs its own reading and nothing else. */
export function collect(
  sources: Partial<Sources>,
  { limitMs = 1_000, sliceMs }: CollectOptions = {},
): Collection {
  const readings: Partial<Record<ReadingName, Reading<unknown>>> = {}
  const names = Object.keys(sources) as ReadingName[]
  let over = false

  const keep = async (name: ReadingName): Promise<void> => {
    const reading = await read(sources[name])
    // The readings may have been sent by now and must not change.
    if (!over) readings[name] = reading
  }
  const keepAll = async (): Promise<void> => {
    const pending: Promise<void>[] = []
    const turn = turns(sliceMs)
    for (const name of names) {
      await turn()
      if (over) return
      pending.push(keep(name))
    }
    await Promise.all(pending)
  }
  const done = within(limitMs, keepAll(), undefined).then(() => {
    over = true
    for (const name of names) readings[name] ??= { error: 'timeout' }
  })
  // `Sources` ties each name to its value's type; the loop above loses that.
  return { readings: readings as ReportedReadings, done }
}

async function read(source: (() => unknown) | undefined): Promise<Reading<unknown>> {
  try {
    return { value: portable(await source?.()) }
  } catch (error) {
    return { error: error instanceof Unsupported ? 'unsupported' : 'failed' }
  }
}

/** The limits of the ingest body; see READINGS in the contract. */
const TEXT_LENGTH_MAX = 2_048
const NAME_LENGTH_MAX = 256
const NAMES_MAX = 512

/**
 * A copy that fits the ingest body. The server refuses a whole body for one wrong value, and a page or an extension
 * may have put anything into the browser's objects, so such a reading has to fail here, alone.
 * @throws {TypeError} for a value that JSON would drop or turn into null
 */
function portable(value: unknown): unknown {
  return JSON.parse(
    toJson(value, (part, holder) => {
      if (part === undefined || (typeof part === 'number' && !Number.isFinite(part))) throw new TypeError()
      if (typeof part === 'string')
        return part.slice(0, Array.isArray(holder) ? NAME_LENGTH_MAX : TEXT_LENGTH_MAX)
      return Array.isArray(part) ? part.slice(0, NAMES_MAX) : part
    }),
  )
}
