import { DAY_MS } from '../../lib/durations.ts'
import { type CountedRows, countDistinct, groupRows, type Pattern } from './pattern.ts'

/** Thirty days: within a month most people use all of their own devices, and few others. */
export const manyDevicesOnAccount: Pattern = {
  name: 'many_devices_on_account',
  entity: 'user_hid',
  windowMs: 30 * DAY_MS,
  suspicious: { lowRisk: 8, highRisk: 4 },
  dangerous: { lowRisk: 16, highRisk: 8 },
  count: (rows) => countDistinct(rows, ({ deviceId }) => deviceId),
}

/** One day: a longer journey may cross many countries. The country of a VPN or proxy exit never counts. */
export const manyCountriesOnAccount: Pattern = {
  name: 'many_countries_on_account',
  entity: 'user_hid',
  windowMs: DAY_MS,
  suspicious: { lowRisk: 4, highRisk: 2 },
  dangerous: { lowRisk: 6, highRisk: 3 },
  count: (rows) => countDistinct(rows, ({ hidden, country }) => (hidden ? undefined : country)),
}

/**
 * Counts cookies, and visitors, host by host, because a cookie belongs to one host. One day: over a longer time
 * anyone clears cookies now and then.
 */
export const changingIdsOnAccount: Pattern = {
  name: 'changing_ids_on_account',
  entity: 'user_hid',
  windowMs: DAY_MS,
  suspicious: { lowRisk: 10, highRisk: 4 },
  dangerous: { lowRisk: 20, highRisk: 8 },
  count(rows) {
    const counts = [...groupRows(rows, ({ host }) => host).values()].flatMap((ofHost) => [
      countDistinct(ofHost, ({ cookieId }) => cookieId),
      countDistinct(ofHost, ({ visitorId }) => visitorId),
    ])
    return counts.reduce<CountedRows>((most, next) => (next.count > most.count ? next : most), NONE)
  },
}

const NONE: CountedRows = { count: 0, rows: [] }
