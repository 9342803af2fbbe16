/** `YYYY-MM-DD HH:MM:SS[.mmm]` of a row and RFC 3339 of an event, down to nine digits of a second. */
const UTC = /^(\d{4}-\d\d-\d\d)[ T](\d\d:\d\d:\d\d)(\.\d{1,3})?\d*Z?$/

/** Unix milliseconds of a time on the wire, which is always UTC; undefined when it is no such text. */
export function utcMs(text: string): number | undefined {
  const [, day, time, fraction = ''] = UTC.exec(text) ?? []
  const ms = Date.parse(`${day}T${time}${fraction}Z`)
  return Number.isNaN(ms) ? undefined : ms
}
