/** A time as the account API and the older routes write it: RFC 3339, UTC, milliseconds. */
export const presentTime = (atMs: number): string => new Date(atMs).toISOString()

/** A time as a History row writes it: `2026-06-01 12:00:00.123`, in UTC and without a zone. */
export const presentRowTime = (atMs: number): string => presentTime(atMs).slice(0, 23).replace('T', ' ')

const WIRE_TIME = /^(\d{4}-\d\d-\d\d)[ T](\d\d:\d\d:\d\d)(\.\d{1,3})?\d*Z?$/

/**
 * Unix milliseconds of a time in a row or an event, which is UTC in either form. Digits past the
 * millisecond are dropped. Undefined for any other text.
 */
export function readTime(text: string): number | undefined {
  const [, day, time, fraction = ''] = WIRE_TIME.exec(text) ?? []
  const ms = Date.parse(`${day}T${time}${fraction}Z`)
  return Number.isNaN(ms) ? undefined : ms
}
