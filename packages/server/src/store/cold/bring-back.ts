import type { Kysely } from 'kysely'
import { engineSql } from '../engine-sql.ts'
import type { Schema } from '../schema.ts'
import type { Store } from '../store.ts'
import { isCold, readColdBody } from './cold-body.ts'
import { readStoredBodies, type StoredBody } from './stored-bodies.ts'
import { type MovedBody, replaceBodies } from './write-object.ts'

/** Bodies in a transaction. */
const AT_ONCE = 200
const IDS_IN_QUERY = 500

/** Without a storage, rows that need it cannot be read. */
type MaybeCold = Pick<Store, 'jobReads' | 'writes' | 'cold'>

/** Puts bodies back into their rows. Those that the storage has lost stay as they are. */
export async function bringBack(
  store: MaybeCold,
  domainId: number,
  bodies: readonly StoredBody[],
): Promise<number> {
  let brought = 0
  for (let from = 0; from < bodies.length; from += AT_ONCE) {
    const kept = await unsealed(store, domainId, bodies.slice(from, from + AT_ONCE))
    if (kept.length === 0) continue
    await store.writes.transaction().execute((transaction) =>
      replaceBodies(
        transaction,
        domainId,
        kept.map((one) => ({ ...one, to: one.packed })),
      ),
    )
    brought += kept.length
  }
  return brought
}

export async function unsealed(
  { cold }: MaybeCold,
  domainId: number,
  bodies: readonly StoredBody[],
): Promise<MovedBody[]> {
  const packed = await readStoredBodies(cold, domainId, bodies)
  return bodies.flatMap((body, at) => {
    const text = packed[at]
    return text ? [{ ...body, packed: text, addresses: readColdBody(body.body)?.addresses ?? [] }] : []
  })
}

/** Bodies of rows by their numbers, as the rows have them. */
export async function storedBodies(
  db: Kysely<Schema>,
  domainId: number,
  kind: StoredBody['kind'],
  ids: readonly number[],
): Promise<StoredBody[]> {
  const found: StoredBody[] = []
  for (let from = 0; from < ids.length; from += IDS_IN_QUERY) {
    const some = ids.slice(from, from + IDS_IN_QUERY)
    const rows =
      kind === 'snapshot'
        ? await db
            .selectFrom('snapshots')
            .select(['identification_id as id', 'body'])
            .where(engineSql(db).besideIds('domain_id'), '=', domainId)
            .where('identification_id', 'in', some)
            .execute()
        : await db
            .selectFrom('deliveries')
            .select(['id', 'body'])
            .where(engineSql(db).besideIds('domain_id'), '=', domainId)
            .where('id', 'in', some)
            .execute()
    found.push(...rows.map((row) => ({ ...row, kind })))
  }
  return found
}

/**
 * Puts the snapshots of these identifications back into their rows, for a transaction that changes them.
 * @throws AppError `INK_COLD_STORAGE`
 */
export async function bringBackSnapshots(
  store: MaybeCold,
  domainId: number,
  ids: readonly number[],
): Promise<void> {
  const snapshots = await storedBodies(store.jobReads, domainId, 'snapshot', ids)
  await bringBack(
    store,
    domainId,
    snapshots.filter(({ body }) => isCold(body)),
  )
}
