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
import { valueOfHash } from './velocity-batch.ts'
import { decodeState, encodeState, forgetValue, type VelocityState } from './velocity-state.ts'

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
  { writes, secrets }: Pick<Store, 'writes' | 'secrets'>,
  domainId: number,
  identifier: Identifier,
): Promise<ForgetVelocity> {
  const hashes = await readSubjectHashes(secrets)
  const erased = SUBJECTS[identifier.type]
  if (!hashes) return { ofVisits: () => Promise.resolve(), ofIdentifier: () => Promise.resolve() }

  return {
    async ofVisits(ids) {
      if (ids.length === 0) return
      const visits = await visitsOf(writes, domainId, ids)
      const found = foundIn(visits, { domainId, hashes })
      const isErased = (subject: VelocitySubject): boolean => PERSONAL.includes(subject)
      const forgotten: [DistinctCounter, readonly Uint8Array[]][] = [
        ['devices', found.device],
        ['cookies', found.cookie],
        ['accounts', erased === 'account' ? found.account : []],
        ['addresses', erased === 'address' ? found.address : []],
      ]
      // By itself, because identifications are locked after states and not before them.
      await writes.transaction().execute(async (transaction) => {
        for (const subject of VELOCITY_SUBJECTS)
          await changeStates(transaction, { domainId, subject, hashes: found[subject] }, (state) => {
            if (isErased(subject)) return undefined
            for (const [counter, values] of forgotten)
              for (const value of values) forgetValue(state, counter, valueOfHash(value))
            return state
          })
      })
    },
    async ofIdentifier() {
      const hash = erased && hashes.of(domainId, erased, identifier.value)
      if (!erased || !hash) return
      await writes
        .transaction()
        .execute((transaction) =>
          changeStates(transaction, { domainId, subject: erased, hashes: [hash] }, () => undefined),
        )
    },
  }
}

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
    .where('id', 'in', ids)
    .where('domain_id', '=', domainId)
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

/** @param change returns the changed state, or undefined for one to remove */
async function changeStates(
  transaction: Kysely<Schema>,
  {
    domainId,
    subject,
    hashes,
  }: { domainId: number; subject: VelocitySubject; hashes: readonly Uint8Array[] },
  change: (state: VelocityState) => VelocityState | undefined,
): Promise<void> {
  if (hashes.length === 0) return
  const index = VELOCITY_SUBJECTS.indexOf(subject)
  const rows = await engineSql(transaction)
    .locking(
      transaction
        .selectFrom('velocity')
        .select(['hash', 'state'])
        .where('domain_id', '=', domainId)
        .where('subject', '=', index)
        .where('hash', 'in', hashes)
        .orderBy('hash'),
    )
    .execute()
  for (const { hash, state } of rows) {
    const changed = change(decodeState(subject, state))
    if (changed)
      await transaction
        .updateTable('velocity')
        .set({ state: encodeState(changed) })
        .where('domain_id', '=', domainId)
        .where('subject', '=', index)
        .where('hash', '=', hash)
        .execute()
    else
      await transaction
        .deleteFrom('velocity')
        .where('domain_id', '=', domainId)
        .where('subject', '=', index)
        .where('hash', '=', hash)
        .execute()
  }
}
