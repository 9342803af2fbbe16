import { countDistinct, DAY_MS, groupRows, type Pattern } from './pattern.ts'

/**
 * Counts the accounts that are at home on the device: guests of a kiosk or a family tablet are mostly seen
 * elsewhere. Thirty days, because a patient farm adds an account every few days.
 */
export const manyAccountsOnDevice: Pattern = {
  name: 'many_accounts_on_device',
  entity: 'device_id',
  windowMs: 30 * DAY_MS,
  suspicious: { lowRisk: 8, highRisk: 3 },
  dangerous: { lowRisk: 16, highRisk: 6 },
  count(rows, { homeOf }) {
    const residents = [...groupRows(rows, ({ account }) => account)].filter(
      ([account, [row]]) => homeOf(account) === row?.deviceId,
    )
    return { count: residents.length, rows: residents.flatMap(([, those]) => those) }
  },
}

/** Thirty days, as for devices of an account. A visitor sticks to a device, so that few are many here. */
export const manyDevicesOnVisitor: Pattern = {
  name: 'many_devices_on_visitor',
  entity: 'visitor_id',
  windowMs: 30 * DAY_MS,
  suspicious: { lowRisk: 5, highRisk: 3 },
  dangerous: { lowRisk: 10, highRisk: 5 },
  count: (rows) => countDistinct(rows, ({ deviceId }) => deviceId),
}
