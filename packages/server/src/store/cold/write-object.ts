import { zstdCompressSync, zstdDecompressSync } from 'node:zlib'
import { type Kysely, sql } from 'kysely'
import { AppError } from '../../lib/errors.ts'
import { engineSql } from '../engine-sql.ts'
import type { Schema } from '../schema.ts'
import type { Store } from '../store.ts'
import { newObjectId, sealBody, writeColdBody } from './cold-body.ts'
import { type ColdObjectRow, coldObjects } from './cold-objects.ts'
import type { ObjectStorage } from './object-storage.ts'
import { objectName, type StoredBody } from './stored-bodies.ts'

/** A body and what its row has now. */
export interface MovedBody extends StoredBody {
  /** The packed text. */
  packed: Uint8Array
  addresses: readonly string[]
}

/** Numbers of the rows whose bodies an object has. */
export interface ObjectIndex {
  snapshots: number[]
  deliveries: number[]
}

export interface ColdStore extends Pick<Store, 'jobReads' | 'writes'> {
  cold: ObjectStorage
}

/** Small, so that concurrent identifications wait only briefly. */
const ROWS_IN_TRANSACTION = 200

/**
 * Moves bodies of a domain into a new object. The order survives a crash at any point: the object is announced, written
 * and read back, and only then the rows let go of their bytes, unless they changed meanwhile.
 * @throws AppError `INK_COLD_STORAGE` when it does not keep what it was given, or another run has removed it
 */
export async function writeObject(
  { writes, cold }: ColdStore,
  domainId: number,
  moved: readonly MovedBody[],
  nowMs: number,
): Promise<void> {
  const { object, bytes, indexAt, references } = sealObject(domainId, moved)
  const released = references.reduce((sum, to, at) => sum + (moved[at]?.body.length ?? 0) - to.length, 0)
  const row: ColdObjectRow = {
    ...{ domain_id: domainId, object, state: 'writing', bytes: bytes.length, index_at: indexAt },
    ...{ bodies: moved.length, bodies_left: moved.length, released, created_at: nowMs, checked_at: nowMs },
  }
  await coldObjects(writes).announce(row)
  const name = objectName(domainId, object)
  await cold.put(name, bytes)
  const kept = await cold.get(name)
  if (!kept?.equals(bytes))
    throw new AppError('INK_COLD_STORAGE', 'the cold storage did not keep an object as it was written')
  for (let from = 0; from < moved.length; from += ROWS_IN_TRANSACTION) {
    const isStored = await writes.transaction().execute(async (transaction) => {
      if (from === 0) {
        if (!(await coldObjects(transaction).store(row))) return false
        if (!(await growDomain(transaction, domainId, -released))) throw new Error('the domain was removed')
      }
      const until = from + ROWS_IN_TRANSACTION
      await replaceBodies(
        transaction,
        domainId,
        moved.slice(from, until).map((one, at) => ({ ...one, to: references[from + at] ?? one.body })),
      )
      return true
    })
    if (!isStored) {
      // That run may have looked for it before it was written.
      await cold.remove(name)
      throw new AppError('INK_COLD_STORAGE', 'another run removed an object while it was written')
    }
  }
}

function sealObject(domainId: number, moved: readonly MovedBody[]) {
  const object = newObjectId()
  const parts: Buffer[] = []
  let offset = 0
  const references = moved.map(({ kind, id, packed, addresses }) => {
    const { sealed, key } = sealBody({ kind, domainId, id }, packed)
    parts.push(sealed)
    const reference = writeColdBody({ object, offset, length: sealed.length, key, addresses })
    offset += sealed.length
    return reference
  })
  const idsOf = (kind: StoredBody['kind']) => moved.flatMap((one) => (one.kind === kind ? [one.id] : []))
  const index: ObjectIndex = { snapshots: idsOf('snapshot'), deliveries: idsOf('delivery') }
  parts.push(zstdCompressSync(JSON.stringify(index)))
  return { object, bytes: Buffer.concat(parts), indexAt: offset, references }
}

export const readIndex = (bytes: Uint8Array): ObjectIndex =>
  JSON.parse(zstdDecompressSync(bytes).toString()) as ObjectIndex

/**
 * What moved bodies take less in the database, or again.
 * @returns false when the domain was removed
 */
export async function growDomain(
  transaction: Kysely<Schema>,
  domainId: number,
  bytes: number,
): Promise<boolean> {
  const { numUpdatedRows } = await transaction
    .updateTable('domains')
    .set({ stored_bytes: sql`stored_bytes + ${bytes}` })
    .where('id', '=', domainId)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Gives rows other bodies, where they still have the one that was read. */
export async function replaceBodies(
  transaction: Kysely<Schema>,
  domainId: number,
  rows: readonly (StoredBody & { to: Uint8Array })[],
): Promise<void> {
  for (const [kind, ofKind] of Map.groupBy(rows, (row) => row.kind)) {
    const [table, id] =
      kind === 'snapshot' ? (['snapshots', 'identification_id'] as const) : (['deliveries', 'id'] as const)
    const { bytes } = engineSql(transaction)
    const given = ofKind.map(
      (row) => sql`(cast(${row.id} as bigint), cast(${row.body} as ${bytes}), cast(${row.to} as ${bytes}))`,
    )
    await sql`
      with given (number, had, gets) as (values ${sql.join(given)})
      update ${sql.table(table)} set body = given.gets from given
      where ${sql.ref(`${table}.domain_id`)} = ${domainId} and ${sql.ref(`${table}.${id}`)} = given.number
        and ${sql.ref(`${table}.body`)} = given.had`.execute(transaction)
  }
}
