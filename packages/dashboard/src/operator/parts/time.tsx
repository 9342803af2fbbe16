/** Seconds matter in a log; the zone is the reader's own. */
const FORMAT = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium' })

/** @param at RFC 3339, Unix milliseconds, or a row's `YYYY-MM-DD HH:MM:SS` in UTC */
export function momentOf(at: string | number): Date {
  const isRowTime = typeof at === 'string' && /^\d{4}-\d\d-\d\d \d\d:/.test(at)
  return new Date(isRowTime ? `${at.replace(' ', 'T')}Z` : at)
}

export function Time({ at }: { at: string | number }) {
  const moment = momentOf(at)
  if (Number.isNaN(moment.getTime())) return <span>{at}</span>
  return (
    <time dateTime={moment.toISOString()} title={moment.toISOString()}>
      {FORMAT.format(moment)}
    </time>
  )
}
