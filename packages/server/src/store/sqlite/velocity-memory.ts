import { randomInt } from 'node:crypto'
import type { DatabaseSync } from 'node:sqlite'
import { VELOCITY_SUBJECTS } from '../../visit/velocity.ts'
import { decodeVisits, encodeVisits } from '../velocity/logged-visits.ts'
import { countsFrom, sizeOf, storedCounts } from '../velocity/subject-counts.ts'
import {
  type CountedSubject,
  type HashedVisit,
  newCounted,
  recountVisit,
  type SubjectId,
  subjectKeyOf,
  type VelocityBatch,
  velocityBatch,
} from '../velocity/velocity-batch.ts'
import { decodeState, encodeState, forgetValue } from '../velocity/velocity-state.ts'
import type { ForgottenCounts } from '../velocity/velocity-store.ts'
import { writtenCounts } from '../velocity/written-counts.ts'

/** With so many unwritten states, or visits in the log, writing begins. */
const LIMITS = { unwritten: 60_000, logged: 20_000 }
/** States that a run writes for each that became unwritten meanwhile. More than one, so that it ends. */
const PACE = 1.25

/** The counts of subjects in the embedded database. All calls but `drop` belong inside of a transaction. */
export interface VelocityMemory {
  begin(): VelocityBatch
  /** Logs the visits of the batch, and writes some of the states that are not written. */
  save(batch: VelocityBatch): void
  /** Writes all states, empties the log, and then forgets what is erased. */
  settle(forgotten?: ForgottenCounts): void
  /** Call it after a transaction that failed. */
  drop(): void
}

/** One pass over the states that were unwritten when it began, in the order of their keys. */
interface Run {
  states: [string, CountedSubject][]
  next: number
  /** The last row of the log whose visits are written when the run ends, and how many they are. */
  through: number
  visits: number
}

/**
 * Keeps the states that visits changed in memory, and writes them behind: a commit adds its visits to a log, in one row
 * for each domain, and writes a few of the states in the order of their keys. A state takes the visits of all commits
 * since it was written last, and neighbours share a page. Each written state says up to which row of the log it holds
 * the visits, so that after a crash the others are counted again, each once.
 *
 * Only one thread at a time may hold unwritten states: `velocity_writer` names it. Another one that begins to write, as
 * of the command line, takes over with what the log has, and this one begins anew.
 */
export function velocityMemory(db: DatabaseSync, limits = LIMITS): VelocityMemory {
  const statements = prepare(db)
  const me = randomInt(1, 2 ** 47)
  const written = writtenCounts()
  const unwritten = new Map<string, CountedSubject>()
  let run: Run | undefined
  let isValid = false
  let lastLogged = 0
  let loggedVisits = 0
  let batchVisits: HashedVisit[] = []

  function stored(id: SubjectId): { one: CountedSubject; logged: number } | undefined {
    const key = subjectKeyOf(id)
    const row = statements.find.get(key.domain_id, key.subject, key.hash)
    const subject = VELOCITY_SUBJECTS[key.subject]
    if (!row || !subject) return undefined
    const counts = countsFrom(subject, row.state as Uint8Array)
    return { one: newCounted(id, counts), logged: Number(row.logged) }
  }

  const find = (name: string, id: SubjectId): CountedSubject | undefined =>
    unwritten.get(name) ?? written.get(name) ?? stored(id)?.one

  function write(name: string, one: CountedSubject): void {
    if (!unwritten.delete(name)) return
    const key = subjectKeyOf(one)
    const bytes = storedCounts(one.counts)
    statements.write.run(key.domain_id, key.subject, key.hash, bytes, one.updatedAt, lastLogged)
    one.sizeBytes = sizeOf(one.counts, bytes)
    written.add(name, one)
  }

  /** Begins anew with what is stored, counts what is only logged, and writes it. */
  function takeOver(): void {
    written.clear()
    unwritten.clear()
    run = undefined
    lastLogged = Number(statements.writer.get()?.last_logged)
    const known = new Map<string, { one: CountedSubject; logged: number }>()
    for (const { id, domain_id, visits } of statements.readLog.iterate()) {
      lastLogged = Number(id)
      for (const visit of decodeVisits(Number(domain_id), visits as Uint8Array))
        recountVisit(visit, (name, id) => {
          const found = known.get(name) ?? stored(id) ?? { one: newCounted(id), logged: 0 }
          known.set(name, found)
          if (found.logged >= lastLogged) return undefined
          unwritten.set(name, found.one)
          return found.one
        })
    }
    writeAll()
    isValid = true
  }

  function writeAll(): void {
    for (const [name, one] of inPlace(unwritten)) write(name, one)
    run = undefined
    emptyLog(lastLogged)
    loggedVisits = 0
  }

  function emptyLog(through: number): void {
    statements.emptyLog.run(through)
    statements.take.run(me, lastLogged)
  }

  function log(visits: readonly HashedVisit[]): void {
    for (const [domainId, own] of Map.groupBy(visits, (visit) => visit.domainId)) {
      lastLogged += 1
      statements.log.run(lastLogged, domainId, encodeVisits(own))
    }
    loggedVisits += visits.length
  }

  function nextRun(): Run | undefined {
    if (unwritten.size < limits.unwritten && loggedVisits < limits.logged) return undefined
    return { states: inPlace(unwritten), next: 0, through: lastLogged, visits: loggedVisits }
  }

  /** @param grown how many states became unwritten since the last call, by how many visits */
  function writeSome(grown: { states: number; visits: number }): void {
    run ??= nextRun()
    if (!run) return
    // By visits too: where the same few subjects return, hardly a state becomes unwritten, and the log still grows.
    const byVisits = (run.states.length * grown.visits) / limits.logged
    const end = run.next + Math.ceil(PACE * Math.max(grown.states, byVisits))
    for (const [name, one] of run.states.slice(run.next, end)) write(name, one)
    run.next = end
    if (end < run.states.length) return
    emptyLog(run.through)
    loggedVisits -= run.visits
    run = undefined
  }

  return {
    begin() {
      if (!isValid || Number(statements.writer.get()?.writer) !== me) takeOver()
      batchVisits = []
      const batch = velocityBatch(find)
      return {
        count(visit) {
          batchVisits.push(visit)
          return batch.count(visit)
        },
        changed: batch.changed,
      }
    },
    save(batch) {
      if (batchVisits.length === 0) return
      log(batchVisits)
      const before = unwritten.size
      for (const [name, one] of batch.changed) {
        if (unwritten.has(name)) continue
        written.take(name)
        unwritten.set(name, one)
      }
      writeSome({ states: unwritten.size - before, visits: batchVisits.length })
    },
    settle(forgotten) {
      if (!isValid || Number(statements.writer.get()?.writer) !== me) takeOver()
      writeAll()
      if (!forgotten) return
      written.clear()
      for (const key of forgotten.removed) statements.remove.run(key.domain_id, key.subject, key.hash)
      for (const key of forgotten.changed) {
        const subject = VELOCITY_SUBJECTS[key.subject]
        const row = statements.find.get(key.domain_id, key.subject, key.hash)
        if (!row || !subject) continue
        const state = decodeState(subject, row.state as Uint8Array)
        for (const [counter, value] of forgotten.values) forgetValue(state, counter, value)
        statements.change.run(encodeState(state), key.domain_id, key.subject, key.hash)
      }
    },
    drop() {
      isValid = false
    },
  }
}

/** About in the order of their keys: by the first three bytes of the hash, which takes a tenth of the time. */
function inPlace(states: ReadonlyMap<string, CountedSubject>): [string, CountedSubject][] {
  const placed = Array.from(states, (state) => ({ state, place: orderOf(state[1]) }))
  return placed.sort((a, b) => a.place - b.place).map(({ state }) => state)
}

const orderOf = ({ domainId, index, hash }: CountedSubject): number =>
  (domainId * VELOCITY_SUBJECTS.length + index) * 2 ** 24 +
  hash.charCodeAt(0) * 2 ** 16 +
  hash.charCodeAt(1) * 2 ** 8 +
  hash.charCodeAt(2)

const prepare = (db: DatabaseSync) => ({
  find: db.prepare('select state, logged from velocity where domain_id = ? and subject = ? and hash = ?'),
  write: db.prepare(
    `insert into velocity (domain_id, subject, hash, state, updated_at, logged) values (?, ?, ?, ?, ?, ?)
     on conflict do update set state = excluded.state, logged = excluded.logged,
       updated_at = max(updated_at, excluded.updated_at)`,
  ),
  change: db.prepare('update velocity set state = ? where domain_id = ? and subject = ? and hash = ?'),
  remove: db.prepare('delete from velocity where domain_id = ? and subject = ? and hash = ?'),
  log: db.prepare('insert into velocity_log (id, domain_id, visits) values (?, ?, ?)'),
  readLog: db.prepare('select id, domain_id, visits from velocity_log order by id'),
  emptyLog: db.prepare('delete from velocity_log where id <= ?'),
  writer: db.prepare('select writer, last_logged from velocity_writer'),
  take: db.prepare('update velocity_writer set writer = ?, last_logged = ?'),
})
