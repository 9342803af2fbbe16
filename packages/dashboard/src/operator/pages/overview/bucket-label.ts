import type { Overview } from '@inkling/contract/account'

const HOUR = new Intl.DateTimeFormat(undefined, { weekday: 'short', hour: '2-digit', minute: '2-digit' })
const DAY = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short', timeZone: 'UTC' })

/** An hour in the reader's own zone, a day as it is in UTC. */
export const bucketLabel = (from: string, bucket: Overview['bucket']): string =>
  (bucket === 'hour' ? HOUR : DAY).format(new Date(from))
