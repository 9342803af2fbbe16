import { countDistinct } from './distinct.ts'
import { DAY_MS, type Pattern } from './pattern.ts'

/** A day: on a longer journey anybody sees many countries. Where a VPN or proxy hides the place, nothing counts. */
export const manyCountriesOnAccount: Pattern = {
  name: 'many_countries_on_account',
  entity: 'user_hid',
  windowMs: DAY_MS,
  suspicious: { calm: 4, risky: 2 },
  dangerous: { calm: 6, risky: 3 },
  weigh: (rows) => countDistinct(rows, ({ hidden, country }) => (hidden ? undefined : country)),
}
