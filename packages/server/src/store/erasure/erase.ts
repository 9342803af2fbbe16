import type { IdentificationScored } from '@inkling/contract'
import { type Kysely, sql } from 'kysely'
import { normalAddress } from '../../lib/address.ts'
import { limitKeys } from '../../lib/address-limit.ts'
import { NIL_UUID_BYTES, uuidBytesOrNil } from '../../lib/uuid.ts'
import { backTestStore } from '../back-tests.ts'
import { decisionKey, identificationKey, noteRemovals } from '../change-feed/late-changes.ts'
import { decisionStore } from '../decisions/decisions.ts'
import { forgetDevices } from '../devices/forget-devices.ts'
import { bumpForRemovedVerdicts } from '../domains/domains.ts'
import { engineSql } from '../engine-sql.ts'
import { forgetEntity } from '../findings/forget-findings.ts'
import { identifierLookup } from '../identifications/lookup.ts'
import { removeIdentifications } from '../identifications/remove-identifications.ts'
import { againAfterDeadlock } from '../outages.ts'
import { unpackText } from '../packed/packed-text.ts'
import type { Schema } from '../schema.ts'
import type { Store } from '../store.ts'
import { forgetVelocity } from '../velocity/forget-velocity.ts'
import { forgetCopies } from './forget-copies.ts'
import { forgetEntries } from './forget-entries.ts'
import { bringBackNaming, forgetLateMentions, forgetMentions, replaysOf } from './forget-mentions.ts'
import {
  type Condition,
  conditionsOf,
  conditionsOnIds,
  type Identifier,
  isInProfiles,
  rememberingDevices,
  withOtherIds,
} from './matching-rows.ts'
import { noteUnscrubbed } from './scrub.ts'
import { sightedRows } from './sighted-rows.ts'
import { stickyMentions } from './sticky-mentions.ts'

/** Small, so that concurrent identifications wait only briefly. */
const ERASE_BATCH = 200

/**
 * Removes all data of one identifier; of a device also what its other IDs have. Each batch, and each of the visits that
 * name it, is a transaction of its own; after an interruption, run it again. `scrub` then removes what the engine still
 * has of the removed rows.
 * @param onRemoved told how many identifications each batch removed, for who has to know when a later one fails
 * @returns the number of removed identifications
 * @throws AppError `INK_INVALID_FIELD` for a malformed value and for one that unrelated visitors share; `INK_COLD_STORAGE`
 *   when rows that name a removed visit cannot be read
 */
export async function erase(
  store: Store,
  domainId: number,
  identifier: Identifier,
  onRemoved: (rows: number) => void = () => undefined,
): Promise<number> {
  let removed = 0
  const count = (rows: number): void => {
    removed += rows
    onRemoved(rows)
  }
  for (const one of await withOtherIds(store.jobReads, domainId, identifier))
    await eraseOne(store, domainId, one, count)
  return removed
}

async function eraseOne(
  store: Store,
  domainId: number,
  identifier: Identifier,
  count: (rows: number) => void,
): Promise<void> {
  const lookup = identifierLookup(identifier.type, identifier.value)
  const velocity = await forgetVelocity(store, domainId, identifier)
  const replays = await replaysOf(store.jobReads, domainId)
  const erasedDevice = identifier.type === 'device_id' ? identifier.value.toLowerCase() : undefined
  const sticky = stickyMentions(store.jobReads, domainId, erasedDevice)
  const transact = (run: (transaction: Kysely<Schema>) => Promise<void>): Promise<void> =>
    againAfterDeadlock(() => store.longWrites.transaction().execute(run))
  const removeMatching = async (condition: Condition): Promise<void> => {
    for (;;) {
      const batch = await store.longWrites
        .selectFrom('identifications')
        .select(['id', 'request_id', 'device_id', 'created_at'])
        .where('domain_id', '=', domainId)
        .where(condition)
        .limit(ERASE_BATCH)
        .execute()
      await velocity.ofVisits(batch.map(({ id }) => id))
      const mentions = [replays, await sticky.of(batch)]
      await bringBackNaming(store, domainId, batch, mentions)
      for (const some of mentions) await forgetMentions(store.longWrites, domainId, batch, some)
      await transact(async (transaction) => {
        await forgetLateMentions(transaction, domainId, await sticky.since(transaction, batch))
        const options = { evenIfSeenElsewhere: isInProfiles(identifier.type) }
        await removeIdentifications(transaction, domainId, batch, options)
        await noteRemovals(transaction, domainId, batch.map(identificationKey))
        await noteUnscrubbed(transaction, domainId)
      })
      count(batch.length)
      if (batch.length < ERASE_BATCH) return
    }
  }
  for (const condition of conditionsOf(lookup)) await removeMatching(condition)
  for (const condition of conditionsOnIds(await sightedRows(store.jobReads, domainId, identifier)))
    await removeMatching(condition)
  await velocity.ofIdentifier()
  const devices = await rememberingDevices(store.jobReads, domainId, identifier)
  await transact(async (transaction) => {
    await forgetDevices(transaction, domainId, devices, { evenIfSeenElsewhere: true })
    await forgetOutsideOfRows(transaction, domainId, identifier)
    await forgetEntries(transaction, domainId, identifier)
    await backTestStore(transaction).forget(domainId)
    const decisions = await decisionStore(transaction).idsAbout(domainId, [], [identifier])
    await forgetCopies(transaction, domainId, 'decision', decisions)
    const forgotten = await decisionStore(transaction).forget(domainId, identifier)
    await noteRemovals(transaction, domainId, forgotten.map(decisionKey))
    await bumpForRemovedVerdicts(transaction)
    await noteUnscrubbed(transaction, domainId)
  })
  if (identifier.type === 'ip' && store.engine === 'postgres')
    await forgetLimits(store.longWrites, identifier.value)
}

/** What holds the identifier without belonging to an identification that does. */
async function forgetOutsideOfRows(
  transaction: Kysely<Schema>,
  domainId: number,
  { type, value }: Identifier,
): Promise<void> {
  if (type === 'device_id') await removeStickyOf(transaction, domainId, 'device_id', uuidBytesOrNil(value))
  if (type === 'ip') {
    const address = normalAddress(value)
    await removeStickyOf(transaction, domainId, 'address', address)
    await removeMarkerEvents(transaction, domainId, address)
    await forgetEntity(transaction, { domainId, type: 'local_ip', value: address })
  }
  if (type === 'device_id' || type === 'visitor_id')
    await forgetEntity(transaction, { domainId, type, value: value.toLowerCase() })
  if (type === 'user_hid') await forgetEntity(transaction, { domainId, type, value })
}

const removeStickyOf = (
  transaction: Kysely<Schema>,
  domainId: number,
  column: 'device_id' | 'address',
  value: Uint8Array | string,
): Promise<unknown> =>
  transaction
    .deleteFrom('sticky_verdicts')
    .where('domain_id', '=', domainId)
    .where(column, '=', value)
    .execute()

/**
 * Removes events without a request ID. They share the nil UUID, so they are found by the address in their bodies.
 */
async function removeMarkerEvents(
  transaction: Kysely<Schema>,
  domainId: number,
  address: string,
): Promise<void> {
  for (const table of ['outbox', 'deliveries'] as const) {
    const events = await transaction
      .selectFrom(table)
      .select(['id', 'body'])
      .where('domain_id', '=', domainId)
      .where('request_id', '=', NIL_UUID_BYTES)
      .execute()
    const ids = events.flatMap(({ id, body }) => (addressIn(body) === address ? [id] : []))
    if (ids.length > 0)
      await transaction
        .deleteFrom(table)
        .where(engineSql(transaction).besideIds('domain_id'), '=', domainId)
        .where('id', 'in', ids)
        .execute()
  }
}

function addressIn(body: Uint8Array): string | undefined {
  const event = JSON.parse(unpackText(body).toString()) as Partial<IdentificationScored>
  return event.data?.public_ip.ip
}

/** Limits that count what visitors send, as `composition/limits.ts` names them. */
const OF_VISITORS = ['beacon', 'ingest']

/**
 * The counters of the visitor's address, which nodes share in a table. They begin again at nothing. Those of sign-in and of
 * the APIs stay for their hour: otherwise whoever may erase in one domain could try passwords without a limit.
 */
function forgetLimits(writes: Kysely<Schema>, value: string): Promise<unknown> {
  const [line, site] = limitKeys(value)
  const keys = OF_VISITORS.flatMap((name) => [
    `${name}:${line}`,
    ...(site === undefined ? [] : [`${name} site:${site}`]),
  ])
  return sql`delete from limits where key in (${sql.join(keys)})`.execute(writes)
}
