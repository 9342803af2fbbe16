import type { Domain } from '../auth/directory.ts'
import { HOLD_MS } from '../deliver/dispatcher.ts'
import { deviceEntries, outboxEntries, withOutboxId } from '../deliver/outbox-entries.ts'
import { scoredEvent } from '../deliver/webhook-events.ts'
import { TAKEN } from '../identify/linker.ts'
import { uuidToText } from '../lib/uuid.ts'
import { identificationRow } from '../store/identifications/identification-row.ts'
import { snapshotOf } from '../store/identifications/snapshots.ts'
import type { StickyVerdicts } from '../store/identifications/sticky-verdicts.ts'
import { writeFailure } from '../store/outage-retries.ts'
import type { OutboxRow } from '../store/outbox/outbox.ts'
import type { Store } from '../store/store.ts'
import { countedVisit, type SubjectHashes } from '../store/velocity/subject-hashes.ts'
import type { Recorded, Scored, ScoreEntry } from './identification.ts'
import type { DeviceWrite } from './known-device.ts'

/** A version that is stored. */
export interface StoredVersion {
  ver: number
  entries: readonly ScoreEntry[]
}

export interface VersionDeps {
  commit: Store['commit']
  /** Sends the events that were committed with an identification. */
  enqueue(entries: readonly OutboxRow[]): void
  sticky: StickyVerdicts
  storeSnapshots: boolean
  /** Hashes what visits are counted by; undefined where they are not counted. */
  velocity?: SubjectHashes | undefined
  /** Whether events have an ID, by which a receiver recognises a repeated delivery. */
  nameEvents: boolean
  now(): number
}

export interface Versions {
  /**
   * Commits the first version and sends its device events. Returns the others, which are still to be sent; undefined
   * when the request ID is used.
   */
  first(
    recorded: Recorded | Scored,
    domain: Domain,
    heldUntil: number,
    device?: DeviceWrite,
  ): Promise<OutboxRow[] | undefined | typeof TAKEN>
  /**
   * Commits a new version and sends its events. Returns the row's `ver`, which always grows; undefined, and nothing is
   * stored, if `earlier` is not the stored version.
   */
  next(scored: Scored, earlier: StoredVersion, events: readonly OutboxRow[]): Promise<number | undefined>
}

/** Stores what was found out about a visit, each time with its snapshot, its sticky verdict and its events. */
export function createVersions(deps: VersionDeps): Versions {
  const snapshotFor = (scored: Scored): string | undefined =>
    deps.storeSnapshots ? snapshotOf(scored) : undefined

  return {
    async first(recorded, domain, heldUntil, device) {
      const ofScore = outboxEntries(recorded, domain, heldUntil, deps)
      const ofDevice = deviceEntries(recorded, domain, deps.now() + HOLD_MS, deps.now)
      const sticky = 'body' in recorded ? deps.sticky.changeOf(recorded) : undefined
      const outcome = await deps.commit({
        type: 'identification',
        row: identificationRow(recorded),
        snapshot: 'body' in recorded ? snapshotFor(recorded) : undefined,
        outbox: [...ofScore, ...ofDevice],
        sticky: sticky?.sticky,
        device,
        isFree: 'body' in recorded && recorded.via !== 'agent',
        velocity: 'body' in recorded ? deps.velocity?.ofVisit(countedVisit(recorded)) : undefined,
      })
      if (outcome.type === 'taken') return TAKEN
      if (outcome.type === 'failed') throw writeFailure(outcome)
      if (outcome.type !== 'stored') return undefined
      if ('body' in recorded && sticky) deps.sticky.remember(recorded, sticky)
      const { outboxIds } = outcome
      deps.enqueue(ofDevice.flatMap((entry, index) => withOutboxId(entry, outboxIds[ofScore.length + index])))
      return ofScore.flatMap((entry, index) => withOutboxId(entry, outboxIds[index]))
    },

    async next(scored, earlier, events) {
      const nowMs = deps.now()
      const ver = Math.max(nowMs, earlier.ver + 1)
      const [first] = events
      const eventId = first && deps.nameEvents ? uuidToText(first.event_id) : undefined
      const body = first && scoredEvent(scored, { createdAtMs: nowMs, eventId })
      const sticky = deps.sticky.changeOf(scored, earlier.entries)
      const outcome = await deps.commit({
        type: 'refinement',
        row: identificationRow(scored, ver),
        earlierVer: earlier.ver,
        snapshot: snapshotFor(scored),
        outbox: events.map(({ id, due_at }) => ({
          id,
          body: body ?? new Uint8Array(),
          heldUntil: due_at,
          dueAt: nowMs + HOLD_MS,
        })),
        ...sticky,
      })
      if (outcome.type === 'failed') throw writeFailure(outcome)
      if (outcome.type === 'outdated') return undefined
      if (outcome.type === 'refined') deps.sticky.remember(scored, sticky)
      if (outcome.type === 'refined' && body)
        deps.enqueue(
          events
            .filter(({ id }) => outcome.renewed.includes(id))
            .map((entry) => ({ ...entry, body, due_at: nowMs + HOLD_MS })),
        )
      return ver
    },
  }
}
