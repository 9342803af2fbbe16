import { countDistinct, groupRows } from './distinct.ts'
import { DAY_MS, type Pattern, type Weighed } from './pattern.ts'

/**
 * Cookies belong to a host, so only those of one host are counted together. A day, because over a longer time
 * everybody clears cookies now and then.
 */
export const changingIdsOnAccount: Pattern = {
  name: 'changing_ids_on_account',
  entity: 'user_hid',
  windowMs: DAY_MS,
  suspicious: { calm: 10, risky: 4 },
  dangerous: { calm: 20, risky: 8 },
  weigh(rows) {
    const changes = [...groupRows(rows, ({ host }) => host).values()].flatMap((those) => [
      countDistinct(those, ({ cookieId }) => cookieId),
      countDistinct(those, ({ visitorId }) => visitorId),
    ])
    return changes.reduce<Weighed>((most, next) => (next.count > most.count ? next : most), NONE)
  },
}

const NONE: Weighed = { count: 0, rows: [] }
