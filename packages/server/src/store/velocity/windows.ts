import type { WindowCounts } from '../../visit/velocity.ts'

/** Times in states are whole numbers of this. Every grain is a multiple of it. */
const TICK_MS = 5_000
const MINUTE = 60_000 / TICK_MS
const HOUR = 60 * MINUTE

/**
 * The windows, from the smallest. A window begins where a grain of it does, so it counts every visit of its length, and
 * at most one grain more. Each grain is a multiple of the one before, so that old buckets can be joined.
 */
export const WINDOWS = [
  { name: 'm5', ticks: 5 * MINUTE, grain: 1 },
  { name: 'h1', ticks: HOUR, grain: MINUTE },
  { name: 'h24', ticks: 24 * HOUR, grain: 15 * MINUTE },
  { name: 'd7', ticks: 7 * 24 * HOUR, grain: 2 * HOUR },
] as const satisfies { name: keyof WindowCounts; ticks: number; grain: number }[]

/** No state is needed for longer. */
export const VELOCITY_MS = 7 * 86_400_000 + 2 * 3_600_000 + TICK_MS

export const tickOf = (atMs: number): number => Math.floor(atMs / TICK_MS)

type Window = (typeof WINDOWS)[number]

/** The first tick of a window at that time. */
const startOf = ({ ticks, grain }: Window, now: number): number => Math.floor((now - ticks) / grain) * grain

export interface Starts {
  readonly m5: number
  readonly h1: number
  readonly h24: number
  readonly d7: number
}

/** Those of the last call: a batch asks about a few times, many times each. */
let last: { now: number; starts: Starts } | undefined

export function startsOf(now: number): Starts {
  if (last?.now === now) return last.starts
  const [m5, h1, h24, d7] = WINDOWS
  const starts = { m5: startOf(m5, now), h1: startOf(h1, now), h24: startOf(h24, now), d7: startOf(d7, now) }
  last = { now, starts }
  return starts
}

/** The start of the bucket of a visit, which grows with its age. */
export function bucketOf(tick: number, { m5, h1, h24 }: Starts): number {
  const [, hour, day, week] = WINDOWS
  if (tick >= m5) return tick
  const { grain } = tick >= h1 ? hour : tick >= h24 ? day : week
  return Math.floor(tick / grain) * grain
}

/** How many are in each window: adds `count` of that time. */
export function addToWindows(counts: WindowCounts, tick: number, count: number, starts: Starts): void {
  if (tick >= starts.m5) counts.m5 += count
  if (tick >= starts.h1) counts.h1 += count
  if (tick >= starts.h24) counts.h24 += count
  if (tick >= starts.d7) counts.d7 += count
}
