import { groupRows } from './distinct.ts'
import { DAY_MS, type Pattern } from './pattern.ts'

/**
 * Counts the accounts that are at home on the device: guests of a kiosk or a family tablet are mostly seen
 * elsewhere. Thirty days, because a patient farm adds an account every few days.
 */
export const manyAccountsOnDevice: Pattern = {
  name: 'many_accounts_on_device',
  entity: 'device_id',
  windowMs: 30 * DAY_MS,
  suspicious: { calm: 8, risky: 3 },
  dangerous: { calm: 16, risky: 6 },
  weigh(rows, { homeOf }) {
    const residents = [...groupRows(rows, ({ account }) => account)].filter(
      ([account, [row]]) => homeOf(account) === row?.deviceId,
    )
    return { count: residents.length, rows: residents.flatMap(([, those]) => those) }
  },
}
