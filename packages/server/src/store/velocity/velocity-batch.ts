import {
  type DistinctCounter,
  VELOCITY_SUBJECTS,
  type Velocity,
  type VelocitySubject,
} from '../../visit/velocity.ts'
import type { VelocityTable } from '../visit-tables.ts'
import { encodeVelocity } from './velocity-column.ts'
import { addVisit, countsOf, emptyState, type VelocityState, type VisitValues } from './velocity-state.ts'
import { tickOf, VELOCITY_MS } from './windows.ts'

/** Of the value of a subject. */
export const HASH_BYTES = 8

export type VelocityKey = Pick<VelocityTable, 'domain_id' | 'subject' | 'hash'>

/** A visit of a transaction, with the hashes of `subject-hashes.ts`. */
export interface HashedVisit {
  domainId: number
  hashes: Uint8Array
  atMs: number
}

export interface Touched {
  key: VelocityKey
  name: string
  state: VelocityState
  /** Whether the table has a row of it. */
  isStored: boolean
  updatedAt: number
}

/** The states that a transaction changes: each is read once and written once, however many of its visits it has. */
export interface VelocityBatch {
  /** Counts a visit, and returns the counts right after it for the column of its identification. */
  count(visit: HashedVisit): Uint8Array
  /** The changed states. */
  changed(): Touched[]
}

/** A clock that was years ahead would else hide what comes until the time that it told. */
const isOfFuture = ({ newest }: VelocityState, atMs: number): boolean => newest > tickOf(atMs + VELOCITY_MS)

function countVisit(state: VelocityState, values: VisitValues, atMs: number): VelocityState {
  const counted = isOfFuture(state, atMs) ? emptyState(state.subject) : state
  addVisit(counted, values, atMs)
  return counted
}

/** @param read the state of a key, which the batch changes; undefined for one without visits */
export function velocityBatch(
  read: (key: VelocityKey, name: string) => VelocityState | undefined,
): VelocityBatch {
  const states = new Map<string, Touched>()

  function touched(key: VelocityKey, subject: VelocitySubject): Touched {
    const name = nameOfKey(key)
    const known = states.get(name)
    if (known) return known
    const stored = read(key, name)
    const one = {
      key,
      name,
      state: stored ?? emptyState(subject),
      isStored: stored !== undefined,
      updatedAt: 0,
    }
    states.set(name, one)
    return one
  }

  return {
    count({ domainId, hashes, atMs }) {
      const values = valuesOf(hashes)
      const velocity: Partial<Velocity> = {}
      VELOCITY_SUBJECTS.forEach((subject, index) => {
        velocity[subject] = null
        const hash = hashAt(hashes, index)
        if (!hash) return
        const one = touched({ domain_id: domainId, subject: index, hash }, subject)
        one.state = countVisit(one.state, values, atMs)
        one.updatedAt = Math.max(one.updatedAt, atMs)
        velocity[subject] = countsOf(one.state, atMs)
      })
      return encodeVelocity(velocity as Velocity)
    },
    changed: () => [...states.values()],
  }
}

/** Counts a visit again in the states of its subjects, as after a crash. */
export function recountVisit(
  { domainId, hashes, atMs }: HashedVisit,
  change: (key: VelocityKey, count: (state: VelocityState | undefined) => VelocityState) => void,
): void {
  const values = valuesOf(hashes)
  VELOCITY_SUBJECTS.forEach((subject, index) => {
    const hash = hashAt(hashes, index)
    if (!hash) return
    const key = { domain_id: domainId, subject: index, hash }
    change(key, (state) => countVisit(state ?? emptyState(subject), values, atMs))
  })
}

/** The keys of the subjects of visits, each once, in their order. */
export function keysOfVisits(visits: readonly HashedVisit[]): VelocityKey[] {
  const keys = new Map<string, VelocityKey>()
  for (const { domainId, hashes } of visits)
    VELOCITY_SUBJECTS.forEach((_, subject) => {
      const hash = hashAt(hashes, subject)
      if (!hash) return
      const key = { domain_id: domainId, subject, hash }
      keys.set(nameOfKey(key), key)
    })
  return [...keys.values()].sort(compareKeys)
}

export const nameOfKey = ({ domain_id, subject, hash }: VelocityKey): string =>
  `${domain_id} ${subject} ${Buffer.from(hash.buffer, hash.byteOffset, hash.byteLength).toString('latin1')}`

/** All transactions lock states in this order and cannot deadlock. */
const compareKeys = (a: VelocityKey, b: VelocityKey): number =>
  a.domain_id - b.domain_id || a.subject - b.subject || Buffer.compare(a.hash, b.hash)

function hashAt(hashes: Uint8Array, index: number): Uint8Array | undefined {
  const start = index * HASH_BYTES
  for (let offset = start; offset < start + HASH_BYTES; offset++)
    if (hashes[offset]) return hashes.subarray(start, start + HASH_BYTES)
  return undefined
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
  for (const [counter, index] of PLACES) {
    const hash = hashAt(hashes, index)
    if (hash) values[counter] = valueOfHash(hash)
  }
  return values
}

/** Its first 48 bits. */
export const valueOfHash = (hash: Uint8Array): number =>
  Buffer.from(hash.buffer, hash.byteOffset, hash.byteLength).readUIntBE(0, 6)
