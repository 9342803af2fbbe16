import { randomBytes } from 'node:crypto'
import { type Kysely, sql, type TableMetadata } from 'kysely'
import { expect, test } from 'vitest'
import { recordOf, storeDelivery, storeVisit } from '../../../test/account/stored-visits.ts'
import { claimEvents } from '../../../test/claim-events.ts'
import { temporaryStore } from '../../../test/temporary-store.ts'
import { registerDomain } from '../../auth/register-domain.ts'
import type { Schema } from '../schema.ts'
import { auditStore, COMMAND_LINE } from '../users/users.ts'
import { domainStore } from './domains.ts'
import { countDomainRows, removeDomain } from './remove-domain.ts'

const NOW_MS = Date.UTC(2026, 10, 21)
const BY = { nowMs: NOW_MS, actor: COMMAND_LINE }

/** They are stored with a visit, as other rows could not refer to each other. */
const OF_A_VISIT = ['identifications', 'snapshots', 'request_ids']
/**
 * A position in the work on all domains, which the next step moves on; objects that a job has to remove first; request IDs
 * of a day, which only clusters use and free with their visits; and that the rest of the domain is to be scrubbed.
 */
const NO_DATA = ['listing_run', 'cold_objects', 'recent_requests', 'unscrubbed_domains']

/** All tables with rows of domains, whoever added them. Partitions are read through their table. */
async function domainTables(db: Kysely<Schema>): Promise<TableMetadata[]> {
  const tables = await db.introspection.getTables()
  return tables.filter(
    ({ name, columns }) =>
      columns.some((column) => column.name === 'domain_id') &&
      !NO_DATA.includes(name) &&
      !name.startsWith('identifications_'),
  )
}

/** Between these, rows of all domains are moved in the background. */
const LISTING = ['unlisted_keys', 'device_keys', 'key_spreads']

const withoutListing = (rows: Record<string, unknown[]>) =>
  Object.fromEntries(Object.entries(rows).filter(([name]) => !LISTING.includes(name)))

/** A row with a value in every column, except that somebody who is invited into a domain is no user yet. */
function rowOf(
  { name: table, columns }: TableMetadata,
  domainId: number,
  number: number,
): Record<string, unknown> {
  const filled = columns.filter(
    ({ name, isAutoIncrementing }) => !isAutoIncrementing && !(table === 'invitations' && name === 'user_id'),
  )
  return Object.fromEntries(
    filled.map(({ name, dataType }) => {
      if (name === 'domain_id') return [name, domainId]
      if (/int|real|float/i.test(dataType)) return [name, number]
      if (/blob|bytea/i.test(dataType)) return [name, randomBytes(16)]
      return [name, /bool/i.test(dataType) ? false : String(number)]
    }),
  )
}

/** Two domains with rows in every table. */
async function twoDomains() {
  const { store, domainId } = await temporaryStore()
  await registerDomain(store, 'other.example', NOW_MS)
  const other = await domainStore(store.reads).find('other.example')
  const tables = await domainTables(store.writes)
  const clock = { nowMs: NOW_MS }
  let number = 1_000
  for (const id of [domainId, other?.id ?? 0]) {
    const target = { store, domainId: id, clock }
    await storeDelivery(target, await storeVisit(target))
    await storeVisit(target)
    for (const table of tables)
      if (!OF_A_VISIT.includes(table.name)) {
        number += 1
        const row = rowOf(table, id, number)
        await sql`insert into ${sql.table(table.name)} (${sql.join(Object.keys(row).map((name) => sql.ref(name)))})
          values (${sql.join(Object.values(row))})`.execute(store.writes)
      }
  }
  const names = tables.map(({ name }) => name)
  const rows = async (id: number) => {
    const found: Record<string, unknown[]> = {}
    for (const name of names) {
      const { rows } = await sql`select * from ${sql.table(name)} where domain_id = ${id}`.execute(
        store.reads,
      )
      found[name] = rows
    }
    return found
  }
  const domain = { id: domainId, name: 'shop.example' }
  return { store, domain, otherId: other?.id ?? 0, names, rows, clock }
}

const EMPTY = (names: readonly string[]) => Object.fromEntries(names.map((name) => [name, []]))

test('no table keeps a row of a removed domain, and those of other domains stay as they are', async () => {
  const { store, domain, otherId, names, rows } = await twoDomains()
  for (const [name, found] of Object.entries(withoutListing(await rows(domain.id))))
    expect(found, name).not.toEqual([])
  const others = await rows(otherId)
  const version = await domainStore(store.reads).directoryVersion()
  expect(await countDomainRows(store.reads, domain.id)).toMatchObject({ identifications: 2, endpoints: 1 })

  await removeDomain(store, domain, BY)
  expect(await rows(domain.id)).toEqual(EMPTY(names))
  const left = await rows(otherId)
  expect(withoutListing(left)).toEqual(withoutListing(others))
  expect(left.device_keys).toEqual(expect.arrayContaining(others.device_keys ?? []))
  expect(await domainStore(store.reads).find(domain.name)).toBeUndefined()
  expect(await domainStore(store.reads).directoryVersion()).toBeGreaterThan(version)
  const [entry] = await auditStore(store.reads).list(undefined, 1)
  expect(entry).toMatchObject({ actor: COMMAND_LINE, action: 'domain.remove', target: domain.name })
})

test('an interrupted removal leaves a disabled domain, and the next run ends it', async () => {
  const { store, domain, names, rows } = await twoDomains()
  const progress = () => {
    throw new Error('interrupted')
  }
  await expect(removeDomain(store, domain, { ...BY, progress })).rejects.toThrow('interrupted')
  expect(await domainStore(store.reads).find(domain.name)).toMatchObject({ enabled: 0 })
  await removeDomain(store, domain, BY)
  expect(await rows(domain.id)).toEqual(EMPTY(names))
  expect(await domainStore(store.reads).find(domain.name)).toBeUndefined()
})

test('what a server wants to store for a domain after its removal is refused, and nothing else with it', async () => {
  const { store, domain, otherId, names, rows, clock } = await twoDomains()
  const target = { store, domainId: domain.id, clock }
  await storeVisit(target)
  const [sending] = await claimEvents(store, Number.MAX_SAFE_INTEGER, NOW_MS)
  await removeDomain(store, domain, BY)

  const [late, other] = await Promise.allSettled([
    storeVisit(target),
    storeVisit({ store, domainId: otherId, clock }),
  ])
  expect(late.status).toBe('rejected')
  expect(other.status).toBe('fulfilled')
  // The send had begun before.
  if (sending) await store.commit(recordOf(sending))
  expect(await rows(domain.id)).toEqual(EMPTY(names))
})
