import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { parseArgs } from 'node:util'
import { Kysely } from 'kysely'
import { componentsOf } from '../../packages/server/src/identify/components.ts'
import { newProfile } from '../../packages/server/src/identify/device-profile.ts'
import { allKeys, keysOf, newKeys } from '../../packages/server/src/identify/keys.ts'
import { createLinker } from '../../packages/server/src/identify/linker.ts'
import { migrate } from '../../packages/server/src/store/migrate.ts'
import type { Schema } from '../../packages/server/src/store/schema.ts'
import { createDeviceWriter } from '../../packages/server/src/store/sqlite/apply-operations.ts'
import { openConnection } from '../../packages/server/src/store/sqlite/connections.ts'
import { sqliteDevices } from '../../packages/server/src/store/sqlite/device-store.ts'
import { sqliteDialect } from '../../packages/server/src/store/sqlite/dialect.ts'
import { createKeyLister } from '../../packages/server/src/store/sqlite/list-keys.ts'
import { encodeDevice } from '../../packages/server/src/store/sqlite/messages.ts'
import { SQLITE_MIGRATIONS } from '../../packages/server/src/store/sqlite/migrations/index.ts'
import { createUnlistedKeys } from '../../packages/server/src/store/sqlite/unlisted-keys.ts'
import type { DeviceWrite } from '../../packages/server/src/visit/known-device.ts'
import { cookieKey } from '../../packages/server/src/visit/known-device.ts'
import { summarize } from '../src/lib/samples.ts'
import { scratchFolder } from '../src/lib/scratch.ts'
import type { LinkerInput } from './linker.ts'
import { linkerInput } from './linker-input.ts'
import { chanceOf } from './population/chance.ts'
import { networksOf } from './population/networks.ts'
import { peopleOf } from './population/people.ts'
import type { Visit } from './population/visits.ts'

/**
 * The cost of identifying a visit with many devices in the database: lookups and decision, without the
 * commit.
 */

const { values } = parseArgs({
  options: {
    devices: { type: 'string', multiple: true, default: ['10000', '1000000'] },
    visits: { type: 'string', default: '3000' },
  },
})

const BATCH = 1_000
/** Warm-up until all code is compiled, as in a server that has run for some minutes. */
const WARM_UP = 3_000
const SAMPLED = 20_000
const START_MS = Date.UTC(2026, 5, 1)

/** Cost of a visit with a known cookie, without its cookie, and of a new device. */
const SHARES = [
  ['known cookie', 0.7],
  ['lost cookie', 0.15],
  ['new device', 0.15],
] as const

function* people(seed: number): Generator<() => Visit> {
  const chance = chanceOf(seed)
  const next = peopleOf(chance, networksOf(chance))
  for (let index = 0; ; index++) {
    const person = next()
    const { device } = person
    yield () => ({
      ...device,
      atMs: START_MS + index,
      device: index,
      person,
      ordinal: 0,
      cookieLost: false,
      address: chance.pickWeighted(device.habits.places).address(),
      noise: false,
      insecure: false,
      hidden: false,
      privateWindow: undefined,
      provider: false,
    })
  }
}

/** A device after its first visit. */
function firstWrite(visit: LinkerInput, index: number): DeviceWrite {
  const components = componentsOf(visit)
  const keys = keysOf(components)
  const deviceId = `00000000-0000-5000-8000-${index.toString(16).padStart(12, '0')}`
  const cookie = { key: cookieKey(visit.cookieId), visitorId: deviceId }
  return {
    domainId: visit.domain.id,
    family: keys.counted.family ?? 0,
    number: undefined,
    profile: newProfile(deviceId, deviceId, {
      components,
      keys: allKeys(keys),
      cookie,
      deviceKey: undefined,
      atMs: visit.atMs,
      teaches: 'all',
      isByLook: false,
      windows: new Map(),
    }),
    keys: newKeys(undefined, keys, [cookie.key]),
    merged: undefined,
  }
}

async function measure(devices: number): Promise<void> {
  const file = join(scratchFolder(), `devices-${devices}.db`)
  const connection = openConnection({ file, readOnly: false })
  const db = new Kysely<Schema>({
    dialect: sqliteDialect({ acquire: () => Promise.resolve(connection), release() {} }),
  })
  await migrate(db, SQLITE_MIGRATIONS)

  const writer = new DatabaseSync(file)
  writer.exec('pragma synchronous = off')
  writer.exec('pragma cache_size = -1000000')
  const apply = createDeviceWriter(writer)
  const keys = createKeyLister(writer)
  const source = people(1)
  const sampled: (() => Visit)[] = []
  const startedAt = performance.now()
  for (let index = 0; index < devices; index += BATCH) {
    writer.exec('begin')
    for (let inBatch = 0; inBatch < BATCH; inBatch++) {
      const visit = source.next().value as () => Visit
      if ((index + inBatch) % Math.ceil(devices / SAMPLED) === 0) sampled.push(visit)
      apply.write(encodeDevice(firstWrite(linkerInput(visit()), index + inBatch)))
    }
    while (keys.list().upTo);
    writer.exec('commit')
  }
  const fillSeconds = (performance.now() - startedAt) / 1_000
  writer.exec('pragma wal_checkpoint(truncate)')
  const bytes = Number(
    writer.prepare('select page_count * page_size as bytes from pragma_page_count, pragma_page_size').get()
      ?.bytes,
  )
  writer.close()

  const known = sqliteDevices(file, createUnlistedKeys())
  const linker = createLinker(known)
  const chance = chanceOf(2)
  const millis: Record<(typeof SHARES)[number][0], number[]> = {
    'known cookie': [],
    'lost cookie': [],
    'new device': [],
  }
  const processor: number[] = []
  for (let count = 0; count < Number(values.visits) + WARM_UP; count++) {
    const kind = chance.pickWeighted(SHARES)
    const make = kind === 'new device' ? (source.next().value as () => Visit) : chance.pick(sampled)
    const visit = { ...make(), atMs: START_MS + 86_400_000 }
    const input = linkerInput(kind === 'lost cookie' ? { ...visit, cookieId: chance.uuid() } : visit)
    const used = process.cpuUsage()
    const from = performance.now()
    await linker.link(input, () => Promise.resolve(undefined))
    if (count < WARM_UP) continue
    millis[kind].push(performance.now() - from)
    const { user, system } = process.cpuUsage(used)
    processor.push((user + system) / 1_000)
  }
  known.close()
  await connection.close()
  const all = summarize(Object.values(millis).flat())
  const parts = Object.entries(millis).map(([kind, samples]) => {
    const { p50, p99 } = summarize(samples)
    return `${kind} ${p50.toFixed(2)}/${p99.toFixed(2)}`
  })
  console.log(
    `${devices} devices: p50 ${all.p50.toFixed(2)} p99 ${all.p99.toFixed(2)} ms (${parts.join(', ')}; p50/p99)` +
      `  processor p50 ${summarize(processor).p50.toFixed(2)} p99 ${summarize(processor).p99.toFixed(2)} ms` +
      `  ${(bytes / devices / 1_024).toFixed(1)} KiB per device, filled in ${fillSeconds.toFixed(0)} s`,
  )
}

for (const devices of values.devices) await measure(Number(devices))
