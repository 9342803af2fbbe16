import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib'
import type { Kysely } from 'kysely'
import { z } from 'zod'
import type { NetworkEvidence } from '../../visit/network-evidence.ts'
import type { Schema } from '../schema.ts'

/** A compressed snapshot is about 2 KB: the default chunk is far more than it needs. */
const CHUNK_BYTES = 8_192

/** Takes less time than handing the text to a thread and back would. */
export const compressSnapshot = (text: string): Uint8Array =>
  zstdCompressSync(text, {
    chunkSize: CHUNK_BYTES,
    pledgedSrcSize: Buffer.byteLength(text),
    params: { [constants.ZSTD_c_compressionLevel]: 3 },
  })

/** The part of a snapshot that is read back; written by `snapshotOf`. */
const Stored = z.object({ network: z.custom<NetworkEvidence>().optional() })

/** What came in with an identification, kept so that it can be scored again. */
export const snapshotStore = (db: Kysely<Schema>) => ({
  /** What the server saw of the connection; undefined when no snapshot is kept. */
  async network(domainId: number, identificationId: number): Promise<NetworkEvidence | undefined> {
    const row = await db
      .selectFrom('snapshots')
      .select('body')
      .where('domain_id', '=', domainId)
      .where('identification_id', '=', identificationId)
      .executeTakeFirst()
    return row && Stored.parse(JSON.parse(zstdDecompressSync(row.body).toString())).network
  },
})
