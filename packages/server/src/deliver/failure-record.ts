import {
  countFailures,
  disableFailing,
  endFailures,
  failingEndpoints,
} from '../store/domains/endpoint-failures.ts'
import type { Store } from '../store/store.ts'
import { type Attempt, delivered, refused } from './attempt.ts'

/** A receiver with few events may miss two of them days apart, which is no outage. */
const FAILED_SENDS_MIN = 20

export interface FailureRecordDeps {
  store: Pick<Store, 'reads' | 'writes'>
  /** An endpoint that failed for so long is disabled; 0: never. */
  disableAfterMs: number
  now(): number
  /** The time that has passed in truth: a clock that jumps ahead must disable no endpoint. See `lib/slewed-clock.ts`. */
  slewedNow(): number
  /** Called for each endpoint that was disabled. */
  disabled(endpoint: { endpoint: number; domain: string }): void
}

/**
 * Which endpoints fail. It counts in memory and writes the state only where it changes, because a failing endpoint may
 * fail hundreds of times a second.
 */
export interface FailureRecord {
  sent(endpointId: number, attempt: Attempt): void
  /** Writes what was counted since the last call, and disables endpoints that failed for too long. */
  record(): Promise<void>
}

interface Outcomes {
  accepted: boolean
  failed: number
  firstFailedAt: number
}

export function createFailureRecord({
  store,
  disableAfterMs,
  now,
  slewedNow,
  disabled,
}: FailureRecordDeps): FailureRecord {
  let outcomes = new Map<number, Outcomes>()

  async function write(counted: ReadonlyMap<number, Outcomes>, failing: readonly number[]): Promise<void> {
    const recovered = failing.filter((id) => counted.get(id)?.accepted)
    const failed = [...counted].filter(([, { accepted }]) => !accepted)
    if (recovered.length === 0 && failed.length === 0) return
    await store.writes.transaction().execute(async (transaction) => {
      if (recovered.length > 0) await endFailures(transaction, recovered)
      for (const [id, { failed: sends, firstFailedAt }] of failed)
        await countFailures(transaction, id, { sends, firstFailedAt })
    })
  }

  async function disable(): Promise<void> {
    const limits = { failingBefore: slewedNow() - disableAfterMs, failedSendsMin: FAILED_SENDS_MIN }
    for (const { id, domain } of await disableFailing(store.writes, limits, now()))
      disabled({ endpoint: id, domain })
  }

  return {
    sent(endpointId, attempt) {
      // Not sent at all, which says nothing about the endpoint.
      if (refused(attempt)) return
      const counted = outcomes.get(endpointId) ?? {
        accepted: false,
        failed: 0,
        firstFailedAt: attempt.sentAt,
      }
      outcomes.set(endpointId, counted)
      if (delivered(attempt)) counted.accepted = true
      else counted.failed += 1
    },
    async record() {
      const counted = outcomes
      outcomes = new Map()
      const failing = await failingEndpoints(store.reads)
      await write(
        counted,
        failing.map(({ id }) => id),
      )
      const isOverdue = failing.some(({ failing_since }) => slewedNow() - failing_since >= disableAfterMs)
      if (disableAfterMs > 0 && isOverdue) await disable()
    },
  }
}
