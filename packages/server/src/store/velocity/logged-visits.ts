import { VELOCITY_SUBJECTS } from '../../visit/velocity.ts'
import { HASH_BYTES, type HashedVisit } from './velocity-batch.ts'

/*
 * The column `velocity_log.visits`: visits one after the other, each with its time in eight bytes and the hashes of its
 * subjects and its country.
 */

const TIME_BYTES = 8
const HASHES_BYTES = (VELOCITY_SUBJECTS.length + 1) * HASH_BYTES
const VISIT_BYTES = TIME_BYTES + HASHES_BYTES

export function encodeVisits(visits: readonly HashedVisit[]): Uint8Array {
  const bytes = Buffer.alloc(visits.length * VISIT_BYTES)
  visits.forEach(({ atMs, hashes }, index) => {
    bytes.writeDoubleBE(atMs, index * VISIT_BYTES)
    bytes.set(hashes, index * VISIT_BYTES + TIME_BYTES)
  })
  return bytes
}

export function decodeVisits(domainId: number, bytes: Uint8Array): HashedVisit[] {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  return Array.from({ length: Math.floor(buffer.length / VISIT_BYTES) }, (_, index) => {
    const start = index * VISIT_BYTES
    return {
      domainId,
      atMs: buffer.readDoubleBE(start),
      hashes: buffer.subarray(start + TIME_BYTES, start + VISIT_BYTES),
    }
  })
}
