import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { Kysely } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { changingVisits } from '../../../test/changing-visits.ts'
import { identified } from '../../../test/identified.ts'
import { temporaryDirectory } from '../../../test/temporary-store.ts'
import { createLinker, type Linked, TAKEN } from '../../identify/linker.ts'
import { memoryDevices } from '../../identify/relink.ts'
import { uuidBytesOrNil, uuidToText } from '../../lib/uuid.ts'
import type { DeviceWrite, KeyMatch } from '../../visit/known-device.ts'
import { forgetDevices } from '../devices/forget-devices.ts'
import { migrate } from '../migrate.ts'
import type { Schema } from '../schema.ts'
import { createDeviceWriter } from './apply-operations.ts'
import { openConnection } from './connections.ts'
import { sqliteDevices } from './device-store.ts'
import { sqliteDialect } from './dialect.ts'
import { createKeyLister } from './list-keys.ts'
import { encodeDevice } from './messages.ts'
import { SQLITE_MIGRATIONS } from './migrations/index.ts'
import { createUnlistedKeys, readUnlistedKeys, type UnlistedKeys } from './unlisted-keys.ts'

const SLICE_KEYS = 7

/** Devices in a database. The test decides when keys are listed, a few at a time. */
async function database() {
  const file = join(await temporaryDirectory(), 'devices.db')
  const connection = openConnection({ file, readOnly: false })
  const db = new Kysely<Schema>({
    dialect: sqliteDialect({ acquire: () => Promise.resolve(connection), release() {} }),
  })
  await migrate(db, SQLITE_MIGRATIONS)
  const writer = new DatabaseSync(file)
  onTestFinished(async () => {
    writer.close()
    await connection.close()
  })
  const device = createDeviceWriter(writer)
  const keys = createKeyLister(writer, SLICE_KEYS)
  const unlisted = createUnlistedKeys()
  const devices = sqliteDevices(file, unlisted)
  onTestFinished(() => devices.close())

  /** Lists one slice and returns whether more keys remain in the run. */
  function listSome(): boolean {
    writer.exec('begin')
    const listing = keys.list()
    writer.exec('commit')
    devices.written()
    unlisted.follow(listing)
    return listing.upTo !== undefined
  }

  return {
    db,
    writer,
    devices,
    /** The devices as another process finds them that starts now. */
    devicesOf(unlistedKeys: UnlistedKeys) {
      const reopened = sqliteDevices(file, unlistedKeys)
      onTestFinished(() => reopened.close())
      return reopened
    },
    apply(write: DeviceWrite): boolean {
      const encoded = encodeDevice(write)
      if (device.isTaken(encoded)) return false
      writer.exec('begin')
      const row = device.write(encoded)
      writer.exec('commit')
      devices.written()
      if (row) unlisted.add(write.domainId, row, write.keys)
      return true
    },
    listSome,
    listAll() {
      while (listSome() || unlisted.size() > 0);
    },
  }
}

const keep =
  (write: (given: DeviceWrite) => boolean) =>
  ({ identity, write: given }: Linked) =>
    Promise.resolve(given && !write(given) ? TAKEN : identity)

test('the linker decides the same with the database as with memory', async () => {
  const { devices, apply, listAll } = await database()
  const memory = memoryDevices()
  const [stored, remembered] = [createLinker(devices), createLinker(memory)]
  for (const visit of changingVisits()) {
    expect(await stored.link(visit, keep(apply))).toEqual(await remembered.link(visit, keep(memory.apply)))
    listAll()
  }
})

test('look-ups find the same devices before, during and after listing', async () => {
  const { devices, apply, listSome } = await database()
  const memory = memoryDevices()
  const remembered = createLinker(memory)
  const known = new Map<number, boolean>()
  for (const visit of changingVisits()) {
    await remembered.link(visit, ({ identity, write }) => {
      if (write && memory.apply(write)) apply(write)
      for (const { key, listed } of write?.keys ?? []) known.set(key, listed)
      return Promise.resolve(identity)
    })
    listSome()
    const keys = [...known.keys()].slice(-60)
    const byKey = (found: readonly KeyMatch[]) =>
      new Map(found.map(({ key, devices, listed }) => [key, [devices, known.get(key) && listed.length]]))
    expect(byKey(await devices.lookUp(1, keys))).toEqual(byKey(await memory.lookUp(1, keys)))
  }
})

test('interrupted listing continues, and lists every device once', async () => {
  const { db, devices, devicesOf, writer, apply, listSome } = await database()
  const profile = (await writeOf()).profile
  for (let count = 0; count < 5; count++)
    apply({
      domainId: 1,
      family: 1,
      number: undefined,
      profile: { ...profile, deviceId: randomUUID() },
      keys: [1, 2, 3, 4 + count].map((key) => ({ key, kind: 0, listed: true })),
      merged: undefined,
    })
  const before = await devices.lookUp(1, [1, 2, 3, 4])
  expect(listSome()).toBe(true)

  const reopened = devicesOf(await readUnlistedKeys(db))
  expect(await reopened.lookUp(1, [1, 2, 3, 4])).toEqual(before)
  const keys = createKeyLister(writer, SLICE_KEYS)
  while (keys.list().upTo);
  expect(await devicesOf(createUnlistedKeys()).lookUp(1, [1, 2, 3, 4])).toEqual(before)
  expect(before[0]).toEqual({ key: 1, devices: 5, listed: [5, 4, 3, 2, 1] })
  expect(await db.selectFrom('unlisted_keys').selectAll().execute()).toEqual([])
})

test('a device that is erased during listing leaves no keys', async () => {
  const { db, apply, listSome, listAll } = await database()
  const write = await writeOf()
  apply(write)
  apply({ ...write, profile: { ...write.profile, deviceId: randomUUID() } })
  expect(listSome()).toBe(true)
  await forgetDevices(db, 1, [uuidBytesOrNil(write.profile.deviceId)], {
    evenIfSeenElsewhere: true,
  })
  listAll()
  const listed = await db.selectFrom('device_keys').select('device').distinct().execute()
  expect(listed).toEqual([{ device: 2 }])
})

test('a count of many devices stays when the newest of them is erased, and the next one adds to it', async () => {
  const { db, devices, apply, listAll } = await database()
  const write = await writeOf()
  const keys = [{ key: 5, kind: 0, listed: true }]
  const clone = (deviceId: string) => ({ ...write, profile: { ...write.profile, deviceId, keys: [5] }, keys })
  const ids = Array.from({ length: 30 }, () => randomUUID())
  for (const id of ids) apply(clone(id))
  listAll()
  await forgetDevices(db, 1, ids.slice(-1).map(uuidBytesOrNil), { evenIfSeenElsewhere: true })
  devices.written()
  expect(await devices.lookUp(1, [5])).toEqual([{ key: 5, devices: 30, listed: [] }])
  apply(clone(randomUUID()))
  for (let twice = 0; twice < 2; twice++) {
    expect(await devices.lookUp(1, [5])).toEqual([{ key: 5, devices: 31, listed: [31] }])
    listAll()
  }
})

test('devices with more keys than a statement can name are erased together', async () => {
  const { db, apply, listAll } = await database()
  const { profile } = await writeOf()
  const deviceIds = Array.from({ length: 100 }, () => randomUUID())
  for (const [index, deviceId] of deviceIds.entries()) {
    const keys = Array.from({ length: 400 }, (_, key) => 1 + index * 400 + key)
    const listed = [{ key: index * 400 + 400, kind: 0, listed: true }]
    const device = { ...profile, deviceId, keys }
    apply({ domainId: 1, family: 1, number: undefined, profile: device, keys: listed, merged: undefined })
  }
  listAll()
  expect(await db.selectFrom('device_keys').selectAll().execute()).toHaveLength(100)
  await forgetDevices(db, 1, deviceIds.map(uuidBytesOrNil), { evenIfSeenElsewhere: true })
  for (const table of ['device_keys', 'devices'] as const)
    expect(await db.selectFrom(table).selectAll().execute()).toEqual([])
})

test('of a key with many devices only the newest is listed, and all are counted', async () => {
  const { devices, apply, listAll } = await database()
  const profile = (await writeOf()).profile
  for (let count = 0; count < 40; count++)
    apply({
      domainId: 1,
      family: 1,
      number: undefined,
      profile: { ...profile, deviceId: randomUUID() },
      keys: [{ key: 5, kind: 0, listed: true }],
      merged: undefined,
    })
  for (let twice = 0; twice < 2; twice++) {
    expect(await devices.lookUp(1, [5])).toEqual([{ key: 5, devices: 40, listed: [40] }])
    listAll()
  }
  expect(await devices.lookUp(2, [5])).toEqual([])
  expect(await devices.spread(1, 1)).toEqual([{ once: 0, twice: 0 }])
})

test('a merged device becomes an alias', async () => {
  const { db, devices, apply } = await database()
  const write = await writeOf()
  const older = { ...write.profile, deviceId: randomUUID() }
  apply({ ...write, profile: older })
  apply(write)
  const merged = { number: 2, profile: { ...write.profile, mergedInto: 1 } }
  apply({ ...write, number: 1, profile: older, keys: [], merged })
  expect((await devices.devices(1, [2])).map(({ profile }) => profile.mergedInto)).toEqual([1])
  const [alias] = await db.selectFrom('device_aliases').selectAll().execute()
  expect(alias && [uuidToText(alias.device_id), uuidToText(alias.merged_into)]).toEqual([
    write.profile.deviceId,
    older.deviceId,
  ])
})

function writeOf(): Promise<DeviceWrite> {
  return createLinker(memoryDevices()).link(identified(), ({ write }) => {
    if (!write) throw new Error('an ordinary visit has a device')
    return Promise.resolve(write)
  })
}
