import { randomUUID } from 'node:crypto'
import { type Kysely, sql } from 'kysely'
import { expect, inject, test } from 'vitest'
import { changingVisits } from '../../../test/changing-visits.ts'
import { identified } from '../../../test/identified.ts'
import { temporaryStore } from '../../../test/temporary-store.ts'
import { createLinker, type Linked, TAKEN } from '../../identify/linker.ts'
import { memoryDevices } from '../../identify/relink.ts'
import { uuidBytesOrNil, uuidToText } from '../../lib/uuid.ts'
import { score } from '../../score/score.ts'
import type { Identity } from '../../visit/identification.ts'
import type { DeviceWrite } from '../../visit/known-device.ts'
import { forgetDevices } from '../devices/forget-devices.ts'
import { identificationRow } from '../identifications/identification-row.ts'
import type { Schema } from '../schema.ts'
import type { Store, WriteOutcome } from '../store.ts'
import { listKeys } from './list-keys.ts'

/** Stores a visit with its device. */
function storeWith(
  { commit }: Store,
  device: DeviceWrite,
  requestId: string = randomUUID(),
): Promise<WriteOutcome> {
  const visit = identified({ requestId })
  const row = identificationRow(score({ ...visit, domain: { ...visit.domain, id: device.domainId } }))
  return commit({ type: 'identification', row, snapshot: undefined, outbox: [], device })
}

async function listAll({ pool }: Store): Promise<void> {
  if (!pool) throw new Error('no PostgreSQL')
  while (await listKeys(pool));
}

test('the linker decides the same with the database as with memory, whether keys are listed or not', async () => {
  const { store, domainId } = await temporaryStore()
  const memory = memoryDevices()
  const [stored, remembered] = [createLinker(store.devices), createLinker(memory)]
  const inDatabase = async ({ identity, write }: Linked) => {
    const outcome = write && (await storeWith(store, write))
    return outcome?.type === 'taken' ? TAKEN : identity
  }
  const inMemory = ({ identity, write }: Linked) =>
    Promise.resolve(write && !memory.apply(write) ? TAKEN : identity)
  let count = 0
  for (const visit of changingVisits(120)) {
    count += 1
    const here = { ...visit, domain: { ...visit.domain, id: domainId } }
    expect(decided(await stored.link(here, inDatabase))).toEqual(
      decided(await remembered.link(here, inMemory)),
    )
    if (count % 3 === 0) await listAll(store)
  }
})

/** Without the confidence, which depends on spreads that are cached for a second here. */
const decided = ({ deviceId, visitorId, decision }: Identity) => [
  deviceId,
  visitorId,
  decision?.outcome,
  decision?.agreed,
  decision?.changed,
]

test('of a key with many devices only the newest is listed, and all are counted', async () => {
  const { store, domainId } = await temporaryStore()
  const write = await deviceWrite(domainId)
  const keys = [{ key: 5, kind: 0, listed: true }]
  for (let count = 0; count < 40; count += 1) await storeWith(store, { ...renamed(write), keys })
  for (let twice = 0; twice < 2; twice += 1) {
    expect(await store.devices.lookUp(domainId, [5])).toMatchObject([{ key: 5, devices: 40 }])
    expect((await store.devices.lookUp(domainId, [5]))[0]?.listed).toHaveLength(1)
    await listAll(store)
  }
  expect(await store.devices.lookUp(domainId + 1, [5])).toEqual([])
  expect(await store.devices.spread(domainId, write.family)).toEqual([{ once: 0, twice: 0 }])
})

test('a visit that was stored before leaves no device', async () => {
  const { store, domainId } = await temporaryStore()
  const write = await deviceWrite(domainId)
  const requestId = randomUUID()
  const outcomes = [
    await storeWith(store, write, requestId),
    await storeWith(store, renamed(write), requestId),
    await storeWith(store, renamed(write)),
  ]
  expect(outcomes.map(({ type }) => type)).toEqual(['stored', 'duplicate', 'stored'])
  expect(await store.reads.selectFrom('devices').select('id').execute()).toHaveLength(2)
})

test('a visit whose device another visit had added meanwhile is stored with its request ID once it is linked again', async () => {
  const { store, domainId } = await temporaryStore()
  const write = await deviceWrite(domainId)
  const requestId = randomUUID()
  const outcomes = [
    await storeWith(store, write),
    await storeWith(store, write, requestId),
    await storeWith(store, renamed(write), requestId),
    await storeWith(store, renamed(write), requestId),
  ]
  expect(outcomes.map(({ type }) => type)).toEqual(['stored', 'taken', 'stored', 'duplicate'])
})

const { workers = [] } = inject('testPostgres') ?? {}

test.runIf(workers.length > 1)(
  'on a cluster of two workers, a domain that moves or gets shards of its own keeps its devices, and gets more',
  async () => {
    const { store, domainId } = await temporaryStore()
    const write = await deviceWrite(domainId)
    const keys = [{ key: 5, kind: 0, listed: true }]
    const storeAnother = async () => (await storeWith(store, { ...renamed(write), keys })).type
    const found = async () => (await store.devices.lookUp(domainId, [5])).map(({ devices }) => devices)
    const answers = [[await storeAnother(), await found()]]
    for (const change of [moveToAnotherWorker, isolate, moveToAnotherWorker]) {
      await change(store.writes, domainId)
      answers.push([await storeAnother(), await found()])
    }
    expect(answers).toEqual([1, 2, 3, 4].map((devices) => ['stored', [devices]]))
    const { rows } = await sql`select 1 from identifications where domain_id = ${domainId}`.execute(
      store.reads,
    )
    expect(rows).toHaveLength(4)
  },
)

async function moveToAnotherWorker(db: Kysely<Schema>, domainId: number): Promise<void> {
  await sql`select citus_move_shard_placement(shardid, here.nodename, here.nodeport, there.nodename, there.nodeport,
      shard_transfer_mode => 'block_writes')
    from pg_dist_placement
    join pg_dist_node here using (groupid)
    join pg_dist_node there on there.shouldhaveshards and there.groupid <> here.groupid
    where shardid = get_shard_id_for_distribution_column('identifications', ${sql.lit(domainId)}) limit 1`.execute(
    db,
  )
}

const isolate = async (db: Kysely<Schema>, domainId: number): Promise<unknown> =>
  sql`select isolate_tenant_to_new_shard('identifications', ${sql.lit(domainId)}, 'CASCADE',
    shard_transfer_mode => 'block_writes')`.execute(db)

test('an erased device leaves no keys, listed or not', async () => {
  const { store, domainId } = await temporaryStore()
  const write = await deviceWrite(domainId)
  const other = renamed(write)
  await storeWith(store, write)
  await listAll(store)
  await storeWith(store, other)
  for (const { profile } of [write, other])
    await store.writes.transaction().execute((transaction) =>
      forgetDevices(transaction, domainId, [uuidBytesOrNil(profile.deviceId)], {
        evenIfSeenElsewhere: true,
      }),
    )
  for (const table of ['devices', 'device_keys', 'unlisted_keys'] as const)
    expect(await store.reads.selectFrom(table).selectAll().execute()).toEqual([])
})

test('a count of many devices stays when the newest of them is erased, and the next one adds to it', async () => {
  const { store, domainId } = await temporaryStore()
  const write = await deviceWrite(domainId)
  const clone = (): DeviceWrite => {
    const { profile } = renamed(write)
    return { ...write, profile: { ...profile, keys: [5] }, keys: [{ key: 5, kind: 0, listed: true }] }
  }
  const clones = Array.from({ length: 30 }, clone)
  for (const one of clones) await storeWith(store, one)
  await listAll(store)
  const newest = clones.slice(-1).map(({ profile }) => uuidBytesOrNil(profile.deviceId))
  await store.writes
    .transaction()
    .execute((transaction) => forgetDevices(transaction, domainId, newest, { evenIfSeenElsewhere: true }))
  expect(await store.devices.lookUp(domainId, [5])).toEqual([{ key: 5, devices: 30, listed: [] }])
  await storeWith(store, clone())
  for (let twice = 0; twice < 2; twice += 1) {
    const [match] = await store.devices.lookUp(domainId, [5])
    expect([match?.devices, match?.listed.length]).toEqual([31, 1])
    await listAll(store)
  }
})

test('a merged device becomes an alias', async () => {
  const { store, domainId } = await temporaryStore()
  const write = await deviceWrite(domainId)
  const older = renamed(write)
  await storeWith(store, older)
  await storeWith(store, write)
  const number = async ({ profile }: DeviceWrite): Promise<number> => {
    const row = await store.reads
      .selectFrom('devices')
      .select('id')
      .where('device_id', '=', uuidBytesOrNil(profile.deviceId))
      .executeTakeFirstOrThrow()
    return row.id
  }
  const [kept, gone] = [await number(older), await number(write)]
  const merged = { number: gone, profile: { ...write.profile, mergedInto: kept } }
  await storeWith(store, { ...older, number: kept, keys: [], merged })
  expect((await store.devices.devices(domainId, [gone])).map(({ profile }) => profile.mergedInto)).toEqual([
    kept,
  ])
  const alias = await store.reads.selectFrom('device_aliases').selectAll().executeTakeFirstOrThrow()
  expect([uuidToText(alias.device_id), uuidToText(alias.merged_into)]).toEqual([
    write.profile.deviceId,
    older.profile.deviceId,
  ])
})

const renamed = (write: DeviceWrite): DeviceWrite => ({
  ...write,
  profile: { ...write.profile, deviceId: randomUUID() },
})

function deviceWrite(domainId: number): Promise<DeviceWrite> {
  const visit = identified()
  return createLinker(memoryDevices()).link(
    { ...visit, domain: { ...visit.domain, id: domainId } },
    ({ write }) => {
      if (!write) throw new Error('an ordinary visit has a device')
      return Promise.resolve(write)
    },
  )
}
