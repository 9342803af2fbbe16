import type { Kysely } from 'kysely'
import type { DeviceProfile, DeviceStore, KeyMatch, KeySpread } from '../known-device.ts'
import type { DeviceTables } from './device-tables.ts'

/** What is remembered of devices. Every method takes the domain first. */
export const deviceStore = (db: Kysely<DeviceTables>): DeviceStore => ({
  async lookUp(domainId, keys) {
    if (keys.length === 0) return []
    const rows = await db
      .selectFrom('device_keys')
      .select(['key', 'ordinal', 'device'])
      .where('domain_id', '=', domainId)
      .where('key', 'in', keys)
      .orderBy('key')
      .orderBy('ordinal', 'desc')
      .execute()
    const matches: { key: number; devices: number; listed: number[] }[] = []
    for (const { key, ordinal, device } of rows) {
      const last = matches.at(-1)
      if (last?.key === key) last.listed.push(device)
      else matches.push({ key, devices: ordinal, listed: [device] })
    }
    return matches satisfies KeyMatch[]
  },

  async devices(domainId, numbers) {
    if (numbers.length === 0) return []
    const rows = await db
      .selectFrom('devices')
      .select(['id', 'profile', 'keys'])
      .where('domain_id', '=', domainId)
      .where('id', 'in', numbers)
      .execute()
    return rows.map(({ id, profile, keys }) => ({ number: id, profile: decodeProfile(profile, keys) }))
  },

  async spread(domainId, family) {
    const rows = await db
      .selectFrom('key_spreads')
      .select(['kind', 'once', 'twice'])
      .where('domain_id', '=', domainId)
      .where('family', '=', family)
      .execute()
    const spreads: (KeySpread | undefined)[] = []
    for (const { kind, once, twice } of rows) spreads[kind] = { once, twice }
    return spreads
  },
})

/** Keys lie beside the rest: they are half of a profile, and as text they would be twice as long. */
export const encodeProfile = ({
  keys,
  ...profile
}: DeviceProfile): { profile: string; keys: Uint8Array } => ({
  profile: JSON.stringify(profile),
  keys: new Uint8Array(Float64Array.from(keys).buffer),
})

const decodeProfile = (profile: string, keys: Uint8Array): DeviceProfile => ({
  mergedInto: undefined,
  fonts: undefined,
  ...(JSON.parse(profile) as Omit<DeviceProfile, 'keys' | 'mergedInto' | 'fonts'>),
  // A copy, as numbers must lie on multiples of eight bytes.
  keys: [...new Float64Array(Uint8Array.from(keys).buffer)],
})
