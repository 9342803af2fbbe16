import { chanceOf } from '../../bench/identity/population/chance.ts'
import { identificationRow } from '../../packages/server/src/store/identifications/identification-row.ts'
import { snapshotOf } from '../../packages/server/src/store/identifications/snapshots.ts'
import type { NewDelivery, Store, WriteOperation } from '../../packages/server/src/store/store.ts'
import { demoDeliveries } from './demo-deliveries.ts'
import type { DemoVisit } from './demo-pipeline.ts'
import type { PlannedVisit } from './planned-visit.ts'

/** Concurrent operations: enough to fill batches, few enough to fit in memory. */
const UNDER_WAY_MAX = 1_024
const REFINED_AFTER_MS = 3_000
/** Rows in one statement. */
const LOGGED_AT_ONCE = 500

export interface Delivering {
  endpointId: number
  /** Since when the endpoint has received events. */
  sinceMs: number
  seed: number
}

interface WriteDeps {
  store: Pick<Store, 'commit' | 'writes'>
  process(visit: PlannedVisit): Promise<DemoVisit>
  delivering: Delivering | undefined
  /** Called after each visit with the number written so far. */
  onWritten(count: number): void
}

/** Writes planned visits in order, with the operations of the store. */
export async function writeVisits(visits: readonly PlannedVisit[], deps: WriteDeps): Promise<void> {
  const underWay = new Set<Promise<void>>()
  const chance = chanceOf(deps.delivering?.seed ?? 0)
  const log: NewDelivery[] = []
  let written = 0

  async function commit(operation: WriteOperation): Promise<void> {
    const outcome = await deps.store.commit(operation)
    if (!['stored', 'refined'].includes(outcome.type))
      throw new Error(`a visit could not be written: ${JSON.stringify(outcome)}`)
  }

  async function hand(operation: WriteOperation): Promise<void> {
    const pending = commit(operation)
    underWay.add(pending)
    void pending.finally(() => underWay.delete(pending)).catch(() => {})
    if (underWay.size >= UNDER_WAY_MAX) await Promise.all([...underWay].slice(0, UNDER_WAY_MAX / 2))
  }

  for (const visit of visits) {
    const { first, refined, device } = await deps.process(visit)
    await hand({
      type: 'identification',
      row: identificationRow(first),
      snapshot: snapshotOf(first),
      outbox: [],
      device,
    })
    if (refined)
      await hand({
        type: 'refinement',
        row: identificationRow(refined, visit.atMs + REFINED_AFTER_MS),
        earlierVer: first.atMs,
        snapshot: snapshotOf(refined),
        outbox: [],
      })
    if (deps.delivering && visit.atMs >= deps.delivering.sinceMs)
      log.push(...demoDeliveries(refined ?? first, deps.delivering.endpointId, chance))
    written += 1
    deps.onWritten(written)
  }
  await Promise.all(underWay)
  // Without the outbox, which only has events that wait to be sent.
  for (let from = 0; from < log.length; from += LOGGED_AT_ONCE)
    await deps.store.writes
      .insertInto('deliveries')
      .values(log.slice(from, from + LOGGED_AT_ONCE))
      .execute()
}
