import { readTime } from '@inkling/contract'
import type { Overview } from '@inkling/contract/account'

/** With seconds, because logs need them; in the reader's own time zone. */
const TIME_FORMAT = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium' })

/** @param at RFC 3339, the time of a History row, or Unix milliseconds */
export const parseTime = (at: string | number): Date =>
  new Date(typeof at === 'string' ? (readTime(at) ?? at) : at)

/** A time in the reader's own zone; what is none as it is. */
export function timeText(at: string): string {
  const time = parseTime(at)
  return Number.isNaN(time.getTime()) ? at : TIME_FORMAT.format(time)
}

export function Time({ at }: { at: string | number }) {
  const time = parseTime(at)
  if (Number.isNaN(time.getTime())) return <span>{at}</span>
  return (
    <time dateTime={time.toISOString()} title={time.toISOString()}>
      {TIME_FORMAT.format(time)}
    </time>
  )
}

const HOUR_FORMAT = new Intl.DateTimeFormat(undefined, {
  weekday: 'short',
  hour: '2-digit',
  minute: '2-digit',
})
const DAY_FORMAT = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short', timeZone: 'UTC' })

/** An hour in the reader's own time zone, or a day in UTC. */
export const bucketLabel = (from: string, bucket: Overview['bucket']): string =>
  (bucket === 'hour' ? HOUR_FORMAT : DAY_FORMAT).format(new Date(from))

const COUNT_FORMAT = new Intl.NumberFormat()
const PERCENT_FORMAT = new Intl.NumberFormat(undefined, { style: 'percent', maximumFractionDigits: 1 })
const GROWTH_FORMAT = new Intl.NumberFormat(undefined, {
  style: 'percent',
  maximumFractionDigits: 0,
  signDisplay: 'exceptZero',
})
const POINTS_FORMAT = new Intl.NumberFormat(undefined, {
  minimumFractionDigits: 1,
  maximumFractionDigits: 1,
  signDisplay: 'exceptZero',
})

export const countText = (count: number): string => COUNT_FORMAT.format(count)
export const shareText = (share: number): string => PERCENT_FORMAT.format(share)
export const growthText = (change: number): string => GROWTH_FORMAT.format(change)
export const pointsText = (points: number): string => POINTS_FORMAT.format(points)
export const scoreText = (score: number | null): string => (score === null ? 'none' : score.toFixed(1))

/** `1 day`, `30 days`. */
export const countedText = (count: number, noun: string): string =>
  `${countText(count)} ${count === 1 ? noun : `${noun}s`}`

/** `812 KB`, `3.4 MB`. */
export const sizeText = (bytes: number): string =>
  bytes < 1_000_000
    ? `${Math.ceil(bytes / 1_000)} KB`
    : bytes < 1_000_000_000
      ? `${(bytes / 1_000_000).toFixed(1)} MB`
      : `${(bytes / 1_000_000_000).toFixed(1)} GB`

/** A text in which names of the code stand between backticks, as the documentation writes them. */
export const Marked = ({ text }: { text: string }) =>
  text.split('`').map((part, index) =>
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text have no other name, and never move
    index % 2 === 1 ? <code key={index}>{part}</code> : part,
  )

/** `privacy_relay` as `privacy relay`. */
export const words = (name: string): string => name.replaceAll('_', ' ')
