import { countDistinct } from './distinct.ts'
import { DAY_MS, type Pattern } from './pattern.ts'

/** Thirty days, because a person's own devices all show up within a month, and few others do. */
export const manyDevicesOnAccount: Pattern = {
  name: 'many_devices_on_account',
  entity: 'user_hid',
  windowMs: 30 * DAY_MS,
  suspicious: { calm: 8, risky: 4 },
  dangerous: { calm: 16, risky: 8 },
  weigh: (rows) => countDistinct(rows, ({ deviceId }) => deviceId),
}
