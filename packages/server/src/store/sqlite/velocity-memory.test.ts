import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, onTestFinished, test } from 'vitest'
import { numbersFrom } from '../../../test/numbers-from.ts'
import { temporaryDirectory } from '../../../test/temporary-store.ts'
import { MINUTE_MS } from '../../lib/durations.ts'
import { VELOCITY_SUBJECTS } from '../../visit/velocity.ts'
import { openStore } from '../open-store.ts'
import { storedCounts } from '../velocity/subject-counts.ts'
import {
  type CountedSubject,
  type HashedVisit,
  nameOfKey,
  type VelocityBatch,
  type VelocityKey,
  velocityBatch,
} from '../velocity/velocity-batch.ts'
import { decodeState } from '../velocity/velocity-state.ts'
import { velocityMemory } from './velocity-memory.ts'

const START = Date.UTC(2026, 10, 20, 12)
const DOMAINS = [1, 2]

async function emptyDatabase() {
  const dataDir = await temporaryDirectory()
  await (await openStore({ dataDir })).close()
  const open = () => {
    const db = new DatabaseSync(join(dataDir, 'inkling.db'))
    db.exec('pragma synchronous = off')
    onTestFinished(() => db.close())
    return db
  }
  return open
}

/** Of a few subjects, so that most return. */
function visitMaker(seed: number) {
  const random = numbersFrom(seed)
  let atMs = START
  return {
    random,
    visit(): HashedVisit {
      atMs += Math.floor(random() * MINUTE_MS)
      const hashes = new Uint8Array((VELOCITY_SUBJECTS.length + 1) * 8)
      for (let place = 0; place <= VELOCITY_SUBJECTS.length; place++)
        if (random() > 0.2) hashes.fill(1 + Math.floor(random() * 25), place * 8, place * 8 + 8)
      return { domainId: DOMAINS[Math.floor(random() * DOMAINS.length)] ?? 1, hashes, atMs }
    },
  }
}

/** What counts are without a log, a memory or a database. */
function list() {
  const states = new Map<string, CountedSubject>()
  return {
    count(visits: readonly HashedVisit[]): Uint8Array[] {
      const batch = velocityBatch((name) => states.get(name))
      const counts = visits.map((visit) => batch.count(visit))
      for (const [name, one] of batch.changed) states.set(name, one)
      return counts
    },
    states,
  }
}

function inTransaction(db: DatabaseSync, work: () => void): void {
  db.exec('begin immediate')
  try {
    work()
    db.exec('commit')
  } catch (error) {
    db.exec('rollback')
    throw error
  }
}

const storedStates = (db: DatabaseSync): Map<string, Uint8Array> =>
  new Map(
    db
      .prepare('select domain_id, subject, hash, state from velocity')
      .all()
      .map((row) => [nameOfKey(row as unknown as VelocityKey), row.state as Uint8Array]),
  )

const countOf = (db: DatabaseSync, table: string): number =>
  Number(db.prepare(`select count(*) as rows from ${table}`).get()?.rows)

test.each([1, 2, 3])(
  'every visit is counted once, whatever fails, ends or takes over in between (%i)',
  async (seed) => {
    const open = await emptyDatabase()
    const limits = { unwritten: 40, logged: 30 }
    const threads = [open(), open()].map((db) => ({ db, memory: velocityMemory(db, limits) }))
    const { random, visit } = visitMaker(seed)
    const expected = list()
    let longest = 0
    for (let number = 0; number < 400; number++) {
      const thread = threads[random() < 0.05 ? 1 : 0]
      if (!thread) throw new Error('no thread')
      const visits = Array.from({ length: 1 + Math.floor(random() * 6) }, visit)
      const save = (batch: VelocityBatch): Uint8Array[] => {
        const counts = visits.map((one) => batch.count(one))
        thread.memory.save(batch)
        return counts
      }
      if (random() < 0.05) {
        expect(() =>
          inTransaction(thread.db, () => {
            save(thread.memory.begin())
            throw new Error('a full disk')
          }),
        ).toThrow('a full disk')
        thread.memory.drop()
      }
      // As after a kill: what was only in memory is gone.
      if (random() < 0.05) thread.memory = velocityMemory(thread.db, limits)
      let counts: Uint8Array[] = []
      inTransaction(thread.db, () => {
        counts = save(thread.memory.begin())
      })
      expect(counts).toEqual(expected.count(visits))
      longest = Math.max(longest, countOf(thread.db, 'velocity_log'))
    }
    const [{ db, memory }] = threads as [(typeof threads)[0]]
    // Runs empty the log again and again.
    expect(longest).toBeLessThan(60)
    inTransaction(db, () => memory.settle())
    expect(countOf(db, 'velocity_log')).toBe(0)
    const states = storedStates(db)
    expect([...states.keys()].sort()).toEqual([...expected.states.keys()].sort())
    for (const [name, { index, counts }] of expected.states) {
      const subject = VELOCITY_SUBJECTS[index]
      if (!subject) throw new Error('no subject')
      const stored = states.get(name) ?? new Uint8Array()
      expect(decodeState(subject, stored)).toEqual(decodeState(subject, storedCounts(counts)))
    }
  },
)

test('a commit writes no more states than its share of a run', async () => {
  const open = await emptyDatabase()
  const db = open()
  const memory = velocityMemory(db, { unwritten: 1_000, logged: 100_000 })
  const { visit } = visitMaker(9)
  let unique = 0
  const newcomer = (): HashedVisit => {
    const one = visit()
    unique += 1
    for (let place = 0; place < VELOCITY_SUBJECTS.length; place++)
      Buffer.from(one.hashes.buffer).writeUInt32BE(unique, place * 8)
    return one
  }
  const written: number[] = []
  for (let number = 0; number < 100; number++) {
    const before = countOf(db, 'velocity')
    inTransaction(db, () => {
      const batch = memory.begin()
      for (let visits = 0; visits < 10; visits++) batch.count(newcomer())
      memory.save(batch)
    })
    written.push(countOf(db, 'velocity') - before)
  }
  // Ten visits have sixty new subjects.
  expect(Math.max(...written)).toBe(75)
  expect(written.slice(0, 16)).toEqual(Array(16).fill(0))
})
