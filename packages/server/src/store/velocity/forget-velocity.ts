import type { SearchType } from '@inkling/contract'
import type { Kysely } from 'kysely'
import { ipv4ToText, ipv6ToText } from '../../lib/address.ts'
import { uuidToText } from '../../lib/uuid.ts'
import { type DistinctCounter, VELOCITY_SUBJECTS, type VelocitySubject } from '../../visit/velocity.ts'
import { engineSql } from '../engine-sql.ts'
import type { Identifier } from '../erasure/matching-rows.ts'
import type { Schema } from '../schema.ts'
import type { Store } from '../store.ts'
import { readSubjectHashes, type SubjectHashes } from './subject-hashes.ts'
import { type VelocityKey, valueOfHash } from './velocity-batch.ts'

/** Removes what is counted of an identifier, and of the visits that are about to be removed with it. */
export interface ForgetVelocity {
  ofVisits(ids: readonly number[]): Promise<void>
  ofIdentifier(): Promise<void>
}

const SUBJECTS: Partial<Record<SearchType, VelocitySubject>> = {
  device_id: 'device',
  visitor_id: 'visitor',
  cookie_id: 'cookie',
  user_hid: 'account',
  ip: 'address',
}

/** Belong to one person, so that they go with a visit. Accounts and addresses go when they are what is erased. */
const PERSONAL: readonly VelocitySubject[] = ['device', 'visitor', 'cookie']

/**
 * The counts of the devices, visitors and cookies of removed visits go with them. The counts of their accounts, addresses
 * and networks stay, without the erased devices and cookies; where the others are too many to be listed, they are in an
 * estimate that holds none of them.
 */
export async function forgetVelocity(
  { writes, secrets, velocity }: Pick<Store, 'writes' | 'secrets' | 'velocity'>,
  domainId: number,
  identifier: Identifier,
): Promise<ForgetVelocity> {
  const hashes = await readSubjectHashes(secrets)
  const erased = SUBJECTS[identifier.type]
  if (!hashes) return { ofVisits: () => Promise.resolve(), ofIdentifier: () => Promise.resolve() }

  return {
    async ofVisits(ids) {
      if (ids.length === 0) return
      const found = foundIn(await visitsOf(writes, domainId, ids), { domainId, hashes })
      const keysOf = (subjects: readonly VelocitySubject[]): VelocityKey[] =>
        subjects.flatMap((subject) => found[subject].map((hash) => keyOf(domainId, subject, hash)))
      const forgotten: [DistinctCounter, readonly Uint8Array[]][] = [
        ['devices', found.device],
        ['cookies', found.cookie],
        ['accounts', erased === 'account' ? found.account : []],
        ['addresses', erased === 'address' ? found.address : []],
      ]
      await velocity.settle({
        removed: keysOf(PERSONAL),
        changed: keysOf(VELOCITY_SUBJECTS.filter((subject) => !PERSONAL.includes(subject))),
        values: forgotten.flatMap(([counter, values]) =>
          values.map((value) => [counter, valueOfHash(value)] as const),
        ),
      })
    },
    async ofIdentifier() {
      const hash = erased && hashes.of(domainId, erased, identifier.value)
      if (!erased || !hash) return
      await velocity.settle({ removed: [keyOf(domainId, erased, hash)], changed: [], values: [] })
    },
  }
}

const keyOf = (domainId: number, subject: VelocitySubject, hash: Uint8Array): VelocityKey => ({
  domain_id: domainId,
  subject: VELOCITY_SUBJECTS.indexOf(subject),
  hash,
})

interface Visit {
  device_id: Uint8Array
  visitor_id: Uint8Array
  cookie_id: Uint8Array
  user_hid: string
  ip: number | null
  ip6: Uint8Array | null
}

const visitsOf = (db: Kysely<Schema>, domainId: number, ids: readonly number[]): Promise<Visit[]> =>
  db
    .selectFrom('identifications')
    .select(['device_id', 'visitor_id', 'cookie_id', 'user_hid', 'ip', 'ip6'])
    .where(engineSql(db).besideIds('domain_id'), '=', domainId)
    .where('id', 'in', ids)
    .execute()

/** The hashes of everything that the visits were counted by, each once, in order. */
function foundIn(
  visits: readonly Visit[],
  { domainId, hashes }: { domainId: number; hashes: SubjectHashes },
): Record<VelocitySubject, Uint8Array[]> {
  const all = (subject: VelocitySubject, read: (visit: Visit) => string): Uint8Array[] =>
    [...new Set(visits.map(read))]
      .flatMap((value) => hashes.of(domainId, subject, value) ?? [])
      .sort(Buffer.compare)
  return {
    device: all('device', ({ device_id }) => uuidToText(device_id)),
    visitor: all('visitor', ({ visitor_id }) => uuidToText(visitor_id)),
    cookie: all('cookie', ({ cookie_id }) => uuidToText(cookie_id)),
    account: all('account', ({ user_hid }) => user_hid),
    address: all('address', addressOf),
    prefix: all('prefix', addressOf),
  }
}

function addressOf({ ip, ip6 }: Visit): string {
  if (ip6) return ipv6ToText(ip6)
  return ip === null ? '' : ipv4ToText(ip)
}
