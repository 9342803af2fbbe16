import { type DistinctCounter, VELOCITY_SUBJECTS, type VelocitySubject } from '../../visit/velocity.ts'
import type { VelocityTable } from '../visit-tables.ts'
import { byteWriter } from './bytes.ts'
import { countVisit, NO_COUNTS, type SubjectCounts } from './subject-counts.ts'
import { beginColumn } from './velocity-column.ts'
import type { VisitValues } from './velocity-state.ts'

/** Of the value of a subject. */
export const HASH_BYTES = 8

export type VelocityKey = Pick<VelocityTable, 'domain_id' | 'subject' | 'hash'>

/** A visit of a transaction, with the hashes of `subject-hashes.ts`. */
export interface HashedVisit {
  domainId: number
  hashes: Uint8Array
  atMs: number
}

/** A subject in memory. */
export interface CountedSubject {
  readonly domainId: number
  /** In `VELOCITY_SUBJECTS`. */
  readonly index: number
  /** Its hash, a character for each byte. */
  readonly hash: string
  counts: SubjectCounts
  /** Whether the table has a row of it. */
  isStored: boolean
  /** Time of the latest visit. */
  updatedAt: number
  /** Of memory, about, since it was written last. */
  sizeBytes: number
}

/** @param stored its counts, if the table has a row of it */
export const newCounted = ({ domainId, index, hash }: SubjectId, stored?: SubjectCounts): CountedSubject => ({
  domainId,
  index,
  hash,
  counts: stored ?? NO_COUNTS,
  isStored: stored !== undefined,
  updatedAt: 0,
  sizeBytes: 0,
})

/** Where a subject is stored. */
export type SubjectId = Pick<CountedSubject, 'domainId' | 'index' | 'hash'>

export const subjectKeyOf = ({ domainId, index, hash }: SubjectId): VelocityKey => ({
  domain_id: domainId,
  subject: index,
  hash: Buffer.from(hash, 'latin1'),
})

export const subjectIdOf = ({ domain_id, subject, hash }: VelocityKey): SubjectId => ({
  domainId: domain_id,
  index: subject,
  hash: textOf(hash),
})

/** The states that a transaction changes: each is read once and written once, however many of its visits it has. */
export interface VelocityBatch {
  /** Counts a visit, and returns the counts right after it for the column of its identification. */
  count(visit: HashedVisit): Uint8Array
  /** What the visits were counted in, by name. */
  changed: ReadonlyMap<string, CountedSubject>
}

/** @param find a subject by its name, which the batch changes; undefined for one without visits */
export function velocityBatch(
  find: (name: string, id: SubjectId) => CountedSubject | undefined,
): VelocityBatch {
  const changed = new Map<string, CountedSubject>()
  const column = byteWriter()

  function counted(name: string, id: SubjectId): CountedSubject {
    const known = changed.get(name)
    if (known) return known
    const one = find(name, id) ?? newCounted(id)
    changed.set(name, one)
    return one
  }

  return {
    count(visit) {
      const { atMs, hashes } = visit
      const values = valuesOf(hashes)
      column.clear()
      beginColumn(column, (index) => hasHash(hashes, index))
      eachSubject(visit, (subject, id) => {
        const one = counted(nameOf(id), id)
        one.counts = countVisit(subject, one.counts, { values, atMs, column })
        one.updatedAt = Math.max(one.updatedAt, atMs)
      })
      return column.bytes()
    },
    changed,
  }
}

/**
 * Counts a visit again, as after a crash.
 * @param find the subject to be counted in; undefined where it has the visit
 */
export function recountVisit(
  visit: HashedVisit,
  find: (name: string, id: SubjectId) => CountedSubject | undefined,
): void {
  const { atMs } = visit
  const values = valuesOf(visit.hashes)
  const column = byteWriter()
  eachSubject(visit, (subject, id) => {
    const one = find(nameOf(id), id)
    if (!one) return
    one.counts = countVisit(subject, one.counts, { values, atMs, column })
    one.updatedAt = Math.max(one.updatedAt, atMs)
  })
}

/** Calls back with each subject that the visit has. */
function eachSubject(
  { domainId, hashes }: HashedVisit,
  call: (subject: VelocitySubject, id: SubjectId) => void,
): void {
  const text = textOf(hashes)
  VELOCITY_SUBJECTS.forEach((subject, index) => {
    if (!hasHash(hashes, index)) return
    call(subject, { domainId, index, hash: text.slice(index * HASH_BYTES, (index + 1) * HASH_BYTES) })
  })
}

/** The keys of the subjects of visits, each once, in their order. */
export function keysOfVisits(visits: readonly HashedVisit[]): VelocityKey[] {
  const ids = new Map<string, SubjectId>()
  for (const visit of visits) eachSubject(visit, (_, id) => ids.set(nameOf(id), id))
  return Array.from(ids.values(), subjectKeyOf).sort(compareKeys)
}

const nameOf = ({ domainId, index, hash }: SubjectId): string => `${domainId} ${index} ${hash}`

export const nameOfKey = (key: VelocityKey): string => nameOf(subjectIdOf(key))

const textOf = ({ buffer, byteOffset, byteLength }: Uint8Array): string =>
  Buffer.from(buffer, byteOffset, byteLength).toString('latin1')

/** All transactions lock states in this order and cannot deadlock. */
const compareKeys = (a: VelocityKey, b: VelocityKey): number =>
  a.domain_id - b.domain_id || a.subject - b.subject || Buffer.compare(a.hash, b.hash)

function hasHash(hashes: Uint8Array, index: number): boolean {
  const end = (index + 1) * HASH_BYTES
  for (let offset = index * HASH_BYTES; offset < end; offset++) if (hashes[offset]) return true
  return false
}

/** Where the hashes of a visit have what is counted. */
const PLACES = Object.entries({
  devices: VELOCITY_SUBJECTS.indexOf('device'),
  accounts: VELOCITY_SUBJECTS.indexOf('account'),
  addresses: VELOCITY_SUBJECTS.indexOf('address'),
  countries: VELOCITY_SUBJECTS.length,
  cookies: VELOCITY_SUBJECTS.indexOf('cookie'),
} satisfies Record<DistinctCounter, number>) as [DistinctCounter, number][]

function valuesOf(hashes: Uint8Array): VisitValues {
  const values: Partial<Record<DistinctCounter, number>> = {}
  for (const [counter, index] of PLACES)
    if (hasHash(hashes, index))
      values[counter] = valueOfHash(hashes.subarray(index * HASH_BYTES, (index + 1) * HASH_BYTES))
  return values
}

/** Its first 48 bits. */
export const valueOfHash = (hash: Uint8Array): number =>
  Buffer.from(hash.buffer, hash.byteOffset, hash.byteLength).readUIntBE(0, 6)
