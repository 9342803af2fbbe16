import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { Kysely } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { identified, ordinaryReadings, value } from '../../test/identified.ts'
import { temporaryDirectory } from '../../test/temporary-store.ts'
import { createLinker, type Linked, TAKEN } from '../identify/linker.ts'
import { memoryDevices } from '../identify/memory-devices.ts'
import type { DeviceWrite } from '../known-device.ts'
import { uuidToText } from '../lib/uuid.ts'
import type { DeviceTables } from './device-tables.ts'
import { deviceStore } from './devices.ts'
import { up } from './migrations/0003-devices.ts'
import { createApplyDevice, encodeDevice } from './sqlite/apply-device.ts'
import { openConnection } from './sqlite/connection.ts'
import { sqliteDialect } from './sqlite/dialect.ts'

async function database() {
  const file = join(await temporaryDirectory(), 'devices.db')
  const connection = openConnection({ file, readOnly: false })
  const db = new Kysely<DeviceTables>({
    dialect: sqliteDialect({ acquire: () => Promise.resolve(connection), release() {} }),
  })
  await up(db as Kysely<unknown>)
  const writer = new DatabaseSync(file)
  onTestFinished(async () => {
    writer.close()
    await connection.close()
  })
  const device = createApplyDevice(writer)
  return {
    db,
    devices: deviceStore(db),
    apply(write: DeviceWrite): boolean {
      const encoded = encodeDevice(write)
      if (device.isTaken(encoded)) return false
      writer.exec('begin')
      device.apply(encoded)
      device.writeSpreads()
      writer.exec('commit')
      return true
    },
  }
}

/** Visits of a few machines, some of them clones, that change and lose their cookies. */
function* visits() {
  const cookies = Array.from({ length: 40 }, () => randomUUID())
  for (let index = 0; index < 400; index++) {
    const machine = (index * 7) % 40
    if (index % 9 === 0) cookies[machine] = randomUUID()
    yield identified({
      atMs: Date.UTC(2026, 5, 1) + index * 3_600_000,
      cookieId: cookies[machine] ?? '',
      address: index % 4 === 0 ? `62.0.0.${index % 5}` : `84.0.${machine}.1`,
      readings: {
        ...ordinaryReadings(),
        // Twenty clones and twenty machines of their own.
        fonts: value(machine < 20 ? ['Arial'] : ['Arial', `Font ${machine}`]),
        canvas: value({ text: `t${Math.floor(index / 150)}`, geometry: 'g', winding: true, stable: true }),
      },
    })
  }
}

test('the linker decides over the database as it does over memory', async () => {
  const { devices, apply } = await database()
  const memory = memoryDevices()
  const [stored, remembered] = [createLinker(devices), createLinker(memory)]
  const keep =
    (write: (given: DeviceWrite) => boolean) =>
    ({ identity, write: given }: Linked) =>
      Promise.resolve(given && !write(given) ? TAKEN : identity)
  for (const visit of visits())
    expect(await stored.link(visit, keep(apply))).toEqual(await remembered.link(visit, keep(memory.apply)))
})

test('under a key that many have only the newest is listed, and all are counted', async () => {
  const { devices, apply } = await database()
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
  const [match] = await devices.lookUp(1, [5])
  expect(match).toEqual({ key: 5, devices: 40, listed: [40] })
  expect(await devices.lookUp(2, [5])).toEqual([])
  expect(await devices.spread(1, 1)).toEqual([{ once: 0, twice: 0 }])
})

test('a device that proved to be another is kept as its alias', async () => {
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
