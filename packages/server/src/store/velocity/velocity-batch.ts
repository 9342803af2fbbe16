import { type DistinctCounter, VELOCITY_SUBJECTS, type VelocitySubject } from '../../visit/velocity.ts'
import type { VelocityTable } from '../visit-tables.ts'
import { byteWriter } from './bytes.ts'
import { countsFrom, countVisit, type SubjectCounts } from './subject-counts.ts'
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

/** A subject of a transaction's visits. */
export interface Counted {
  key: VelocityKey
  counts: SubjectCounts
  /** Whether the table has a row of it. */
  isStored: boolean
  /** Time of the latest visit. */
  updatedAt: number
}

/** The states that a transaction changes: each is read once and written once, however many of its visits it has. */
export interface VelocityBatch {
  /** Counts a visit, and returns the counts right after it for the column of its identification. */
  count(visit: HashedVisit): Uint8Array
  /** What the visits were counted in, by the names of the keys. */
  changed: ReadonlyMap<string, Counted>
}

/** @param find the counts of a subject, which the batch changes; undefined for one without visits */
export function velocityBatch(
  find: (name: string, key: () => VelocityKey) => Counted | undefined,
): VelocityBatch {
  const changed = new Map<string, Counted>()
  const column = byteWriter()

  function counted(name: string, visit: HashedVisit, index: number, subject: VelocitySubject): Counted {
    const known = changed.get(name)
    if (known) return known
    const key = () => keyAt(visit, index)
    const one = find(name, key) ?? {
      key: key(),
      counts: countsFrom(subject),
      isStored: false,
      updatedAt: 0,
    }
    changed.set(name, one)
    return one
  }

  return {
    count(visit) {
      const { atMs, hashes } = visit
      const values = valuesOf(hashes)
      column.clear()
      beginColumn(column, (index) => hasHash(hashes, index))
      eachSubject(visit, (name, index, subject) => {
        const one = counted(name, visit, index, subject)
        countVisit(one.counts, { values, atMs, column })
        one.updatedAt = Math.max(one.updatedAt, atMs)
      })
      return column.bytes()
    },
    changed,
  }
}

/**
 * Counts a visit again, as after a crash.
 * @param find the counts of a subject; undefined where the visit is in them
 */
export function recountVisit(
  visit: HashedVisit,
  find: (name: string, key: () => VelocityKey, subject: VelocitySubject) => SubjectCounts | undefined,
): void {
  const values = valuesOf(visit.hashes)
  const column = byteWriter()
  eachSubject(visit, (name, index, subject) => {
    const counts = find(name, () => keyAt(visit, index), subject)
    if (counts) countVisit(counts, { values, atMs: visit.atMs, column })
  })
}

/** Calls back with each subject that the visit has, and the name of its key. */
function eachSubject(
  { domainId, hashes }: HashedVisit,
  call: (name: string, index: number, subject: VelocitySubject) => void,
): void {
  const text = textOf(hashes)
  VELOCITY_SUBJECTS.forEach((subject, index) => {
    if (hasHash(hashes, index))
      call(nameOf(domainId, index, text.slice(index * HASH_BYTES, (index + 1) * HASH_BYTES)), index, subject)
  })
}

const keyAt = ({ domainId, hashes }: HashedVisit, index: number): VelocityKey => ({
  domain_id: domainId,
  subject: index,
  // A copy, which does not keep the visit's other hashes in memory.
  hash: Uint8Array.prototype.slice.call(hashes, index * HASH_BYTES, (index + 1) * HASH_BYTES),
})

/** The keys of the subjects of visits, each once, in their order. */
export function keysOfVisits(visits: readonly HashedVisit[]): VelocityKey[] {
  const keys = new Map<string, VelocityKey>()
  for (const visit of visits)
    eachSubject(visit, (name, index) => {
      if (!keys.has(name)) keys.set(name, keyAt(visit, index))
    })
  return [...keys.values()].sort(compareKeys)
}

export const nameOfKey = ({ domain_id, subject, hash }: VelocityKey): string =>
  nameOf(domain_id, subject, textOf(hash))

const nameOf = (domainId: number, subject: number, hash: string): string => `${domainId} ${subject} ${hash}`

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
