import type { Overview } from '@inkling/contract/account'
import { Rectangle, type RectangleProps } from 'recharts'
import { bucketLabel } from './format.tsx'

type Bucket = Overview['bucket']

const LENGTH_MS: Record<Bucket, number> = { hour: 3_600_000, day: 86_400_000 }

/** Whether an hour or day is not over yet, so that its numbers still grow. */
export const isOpen = (from: string, bucket: Bucket, nowMs: number): boolean =>
  Date.parse(from) + LENGTH_MS[bucket] > nowMs

/** The name of an hour or day, which says when it is not over yet. */
export const openLabel = (from: string, bucket: Bucket, nowMs: number): string =>
  `${bucketLabel(from, bucket)}${isOpen(from, bucket, nowMs) ? ', so far' : ''}`

interface Bar extends RectangleProps {
  payload?: { open?: boolean }
}

/** Draws the bar of an open bucket pale. */
export const barShape = ({ payload, ...bar }: Bar) => (
  <Rectangle {...bar} fillOpacity={payload?.open === true ? 0.5 : 1} />
)
