import type { Kysely } from 'kysely'
import { ipv4ToText } from '../../lib/ipv4-number.ts'
import { uuidToText } from '../../lib/uuid.ts'
import {
  type CandidateType,
  candidates,
  type Piece,
  touchedEntities,
} from '../../store/pattern-candidates.ts'
import type { PatternEntityKey } from '../../store/pattern-rows.ts'
import type { Schema } from '../../store/schema.ts'
import { namesOneEntity } from './names-one-entity.ts'

/** Entities of one question to the database. */
const CHUNK = 200

const TYPES: readonly CandidateType[] = ['device_id', 'visitor_id', 'user_hid', 'local_ip']

/**
 * The entities of a piece that patterns are to be looked for on, a few at a time.
 * @param seen names of entities that were asked for before, which are left out; those of this piece are added
 */
export async function* findCandidates(
  db: Kysely<Schema>,
  piece: Piece,
  sinceMs: number,
  seen: Set<string>,
): AsyncGenerator<PatternEntityKey> {
  for (const type of TYPES) {
    const touched = (await touchedEntities(db, type, piece)).filter(({ domain_id, value }) => {
      const key = entityKey(domain_id, type, value)
      const name = entityName(key)
      if (seen.has(name) || !namesOneEntity(key)) return false
      seen.add(name)
      return true
    })
    for (const [domainId, those] of Map.groupBy(touched, ({ domain_id }) => domain_id))
      for (let from = 0; from < those.length; from += CHUNK) {
        const values = those.slice(from, from + CHUNK).map(({ value }) => value)
        for (const value of await candidates(db, type, { domainId, values, sinceMs }))
          yield entityKey(domainId, type, value)
      }
  }
}

/** Under which an entity is remembered as seen. */
export const entityName = ({ domainId, type, value }: PatternEntityKey): string =>
  `${domainId} ${type} ${value}`

const entityKey = (
  domainId: number,
  type: CandidateType,
  value: Uint8Array | string | number,
): PatternEntityKey => ({ domainId, type, value: text(value) })

function text(value: Uint8Array | string | number): string {
  if (typeof value === 'string') return value
  return typeof value === 'number' ? ipv4ToText(value) : uuidToText(value)
}
