import { type Explanation, readTime, type StoredDecision, signalTitle } from '@inkling/contract'
import type { Delivery, IdentificationVersion } from '@inkling/contract/account'
import { ACTION_LABELS } from '../../parts/action-badge.tsx'
import { PURPOSE_LABELS } from '../decision-rules/purposes.ts'

/** Something that happened in the course of a visit. */
export interface Moment {
  atMs: number
  what: string
  detail: string
}

interface Course {
  edge: Explanation['edge']
  versions: readonly IdentificationVersion[]
  deliveries: readonly Delivery[]
  decisions: readonly StoredDecision[]
}

/** The course of a visit, oldest first. */
export function momentsOf({ edge, versions, deliveries, decisions }: Course): Moment[] {
  return [
    ...(edge?.assessed_at === undefined
      ? []
      : [{ atMs: timeOf(edge.assessed_at), what: 'The page was asked for', detail: '' }]),
    ...versions.map((version, index) => momentOf(version, versions[index - 1])),
    ...deliveries.map(({ sent_at, endpoint_id, status, error }) => ({
      atMs: timeOf(sent_at),
      what: `The event was sent to endpoint ${endpoint_id}`,
      detail: status === null ? (error ?? 'no answer') : `answered with ${status}`,
    })),
    ...decisions.map(({ decided_at, action, purpose }) => ({
      atMs: timeOf(decided_at),
      what: 'Your backend asked what to do',
      detail: `${ACTION_LABELS[action]}, for ${PURPOSE_LABELS[purpose]}`,
    })),
  ].sort((a, b) => a.atMs - b.atMs)
}

function momentOf(version: IdentificationVersion, before: IdentificationVersion | undefined): Moment {
  const atMs = version.ver
  if (!before) return { atMs, what: 'The browser sent its readings', detail: `score ${version.score}` }
  const known = new Set(before.entries.map(({ name }) => name))
  const found = version.entries.filter(({ name }) => !known.has(name)).map(({ name }) => signalTitle(name))
  const change =
    version.score === before.score
      ? `score still ${version.score}`
      : `score ${before.score} to ${version.score}`
  return { atMs, what: 'Later evidence arrived', detail: [change, ...found].join(', ') }
}

const timeOf = (at: string): number => new Date(readTime(at) ?? at).getTime()
