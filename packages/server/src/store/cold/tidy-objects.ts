import { DAY_MS } from '../../lib/durations.ts'
import { bringBack, storedBodies, unsealed } from './bring-back.ts'
import { readColdBody } from './cold-body.ts'
import { type ColdObjectRow, coldObjects } from './cold-objects.ts'
import { objectName, type StoredBody } from './stored-bodies.ts'
import { type ColdStore, growDomain, readIndex, writeObject } from './write-object.ts'

/** How often the rows of an object are counted. */
const CHECK_MS = DAY_MS
const CHECKS_IN_RUN = 200
/** An object with fewer of its bodies is written anew without the others. */
const LEFT_MIN = 0.5

interface TidyOptions {
  nowMs: number
  /** Called for an object that the storage has lost. */
  lost(object: string): void
  stopped?: () => boolean
}

/**
 * Removes the objects that a crash or a removed domain left, and those whose rows are gone; writes objects anew of which
 * most is gone. It may be stopped after any object.
 */
export async function tidyObjects(store: ColdStore, options: TidyOptions): Promise<void> {
  const { nowMs, lost, stopped = () => false } = options
  for (const row of await coldObjects(store.jobReads).leftOver()) await removeObject(store, row)
  for (const row of await coldObjects(store.jobReads).due(nowMs - CHECK_MS, CHECKS_IN_RUN)) {
    if (stopped()) return
    const left = await bodiesLeft(store, row)
    if (!left) lost(row.object)
    if (left && left.length < row.bodies * LEFT_MIN) {
      const kept = await unsealed(store, row.domain_id, left)
      if (kept.length > 0) await writeObject(store, row.domain_id, kept, nowMs)
      await retire(store, row)
      continue
    }
    await checked(store, row, left?.length ?? row.bodies_left, nowMs)
  }
}

/**
 * Brings all bodies back into the database, and removes the objects.
 * @returns the number of bodies
 */
export async function bringAllBack(store: ColdStore, { lost, stopped = () => false, nowMs }: TidyOptions) {
  let brought = 0
  for (const row of await coldObjects(store.jobReads).leftOver()) await removeObject(store, row)
  for (const row of await coldObjects(store.jobReads).due(nowMs + 1, Number.MAX_SAFE_INTEGER)) {
    if (stopped()) return brought
    const left = await bodiesLeft(store, row)
    if (!left) {
      lost(row.object)
      continue
    }
    brought += await bringBack(store, row.domain_id, left)
    await coldObjects(store.writes).beginAgain(row.domain_id)
    await retire(store, row)
  }
  return brought
}

/** The rows that an object still has the bodies of; undefined when it is lost. */
async function bodiesLeft(
  { jobReads, cold }: ColdStore,
  { domain_id: domainId, object, bytes, index_at: offset }: ColdObjectRow,
): Promise<StoredBody[] | undefined> {
  const index = await cold.get(objectName(domainId, object), { offset, length: bytes - offset })
  if (!index) return undefined
  const { snapshots, deliveries } = readIndex(index)
  const rows = [
    ...(await storedBodies(jobReads, domainId, 'snapshot', snapshots)),
    ...(await storedBodies(jobReads, domainId, 'delivery', deliveries)),
  ]
  return rows.filter(({ body }) => readColdBody(body)?.object === object)
}

/** Bytes that the rows of an object take less, as far as they are left. */
const releasedBy = ({ released, bodies }: ColdObjectRow, left: number): number =>
  Math.round((released * left) / bodies)

/** What rows that are gone took less went with them. */
async function checked(
  { writes }: ColdStore,
  row: ColdObjectRow,
  left: number,
  nowMs: number,
): Promise<void> {
  await writes.transaction().execute(async (transaction) => {
    await coldObjects(transaction).change(row, { bodies_left: left, checked_at: nowMs })
    const gone = releasedBy(row, row.bodies_left) - releasedBy(row, left)
    await growDomain(transaction, row.domain_id, gone)
  })
}

/** Removes an object that no row refers to. */
async function retire(store: ColdStore, row: ColdObjectRow): Promise<void> {
  await store.writes.transaction().execute(async (transaction) => {
    await coldObjects(transaction).change(row, { state: 'removing' })
    await growDomain(transaction, row.domain_id, releasedBy(row, row.bodies_left))
  })
  await removeObject(store, row)
}

/** Removes an object unless it is stored: another run may have been writing it. */
async function removeObject({ writes, cold }: ColdStore, row: ColdObjectRow): Promise<void> {
  if (!(await coldObjects(writes).abandon(row))) return
  await cold.remove(objectName(row.domain_id, row.object))
  await coldObjects(writes).forget(row)
}
