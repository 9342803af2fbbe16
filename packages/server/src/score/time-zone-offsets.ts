import { LRUCache } from 'lru-cache'

/**
 * Offsets change at most at quarters of an hour (Lord Howe Island changes on the half hour), so one
 * answer per zone serves all visits of a quarter.
 */
const QUARTER_MS = 15 * 60_000
/** A visit asks for its own quarter and for one half a year before, and a job for those of older visits. */
const QUARTERS_MAX = 16

interface ZoneClock {
  format: Intl.DateTimeFormat
  /** By quarter. */
  offsets: Map<number, number | undefined>
}

/** Zone names come from browsers: bounded, and names that do not exist are remembered as well. */
const clocks = new LRUCache<string, ZoneClock | 'invalid'>({ max: 1_000 })
const LONGEST_NAME = 64

/** Minutes east of UTC in the zone at a time; undefined for a zone that does not exist. */
export function offsetOfZone(zone: string, atMs: number): number | undefined {
  if (zone.length > LONGEST_NAME || !Number.isFinite(atMs)) return undefined
  let clock = clocks.get(zone)
  if (!clock) {
    clock = openClock(zone)
    clocks.set(zone, clock)
  }
  if (clock === 'invalid') return undefined
  const quarter = Math.floor(atMs / QUARTER_MS)
  const { format, offsets } = clock
  if (!offsets.has(quarter)) {
    if (offsets.size >= QUARTERS_MAX) offsets.clear()
    offsets.set(quarter, readOffset(format, quarter * QUARTER_MS))
  }
  return offsets.get(quarter)
}

/** The different offsets of the zones at a time, ascending. */
export function offsetsOfZones(zones: readonly string[], atMs: number): number[] {
  const offsets = new Set<number>()
  for (const zone of zones) {
    const offset = offsetOfZone(zone, atMs)
    if (offset !== undefined) offsets.add(offset)
  }
  return [...offsets].sort((a, b) => a - b)
}

function openClock(timeZone: string): ZoneClock | 'invalid' {
  try {
    const format = new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'longOffset' })
    return { format, offsets: new Map() }
  } catch {
    return 'invalid'
  }
}

/** Reads `GMT`, `GMT+05:30` or, long ago, `GMT-00:25:21`. */
function readOffset(format: Intl.DateTimeFormat, atMs: number): number | undefined {
  if (Math.abs(atMs) > 8.64e15) return undefined
  const text = format.formatToParts(atMs).find(({ type }) => type === 'timeZoneName')?.value ?? ''
  const match = /^GMT(?:([+-])(\d\d):(\d\d))?/.exec(text)
  if (!match) return undefined
  const [, sign, hours = '0', minutes = '0'] = match
  const distance = Number(hours) * 60 + Number(minutes)
  return sign === '-' ? -distance : distance
}
