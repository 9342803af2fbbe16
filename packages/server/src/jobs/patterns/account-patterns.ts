import { countDistinct, DAY_MS, groupRows, type Pattern, type Counted } from './pattern.ts'

/** Thirty days, because a person's own devices all show up within a month, and few others do. */
export const manyDevicesOnAccount: Pattern = {
  name: 'many_devices_on_account',
  entity: 'user_hid',
  windowMs: 30 * DAY_MS,
  suspicious: { lowRisk: 8, highRisk: 4 },
  dangerous: { lowRisk: 16, highRisk: 8 },
  count: (rows) => countDistinct(rows, ({ deviceId }) => deviceId),
}

/** A day: on a longer journey anybody sees many countries. Where a VPN or proxy hides the place, nothing counts. */
export const manyCountriesOnAccount: Pattern = {
  name: 'many_countries_on_account',
  entity: 'user_hid',
  windowMs: DAY_MS,
  suspicious: { lowRisk: 4, highRisk: 2 },
  dangerous: { lowRisk: 6, highRisk: 3 },
  count: (rows) => countDistinct(rows, ({ hidden, country }) => (hidden ? undefined : country)),
}

/**
 * Cookies belong to a host, so only those of one host are counted together. A day, because over a longer time
 * everybody clears cookies now and then.
 */
export const changingIdsOnAccount: Pattern = {
  name: 'changing_ids_on_account',
  entity: 'user_hid',
  windowMs: DAY_MS,
  suspicious: { lowRisk: 10, highRisk: 4 },
  dangerous: { lowRisk: 20, highRisk: 8 },
  count(rows) {
    const changes = [...groupRows(rows, ({ host }) => host).values()].flatMap((those) => [
      countDistinct(those, ({ cookieId }) => cookieId),
      countDistinct(those, ({ visitorId }) => visitorId),
    ])
    return changes.reduce<Counted>((most, next) => (next.count > most.count ? next : most), NONE)
  },
}

const NONE: Counted = { count: 0, rows: [] }
