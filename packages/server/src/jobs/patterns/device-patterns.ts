import { DAY_MS } from '../../lib/durations.ts'
import { countDistinct, groupRows, type Pattern } from './pattern.ts'

/**
 * Counts the accounts that mostly use this device, so that guests of a kiosk or of a family tablet do not count.
 * Thirty days: a patient fraud farm adds an account only every few days.
 */
export const manyAccountsOnDevice: Pattern = {
  name: 'many_accounts_on_device',
  entity: 'device_id',
  windowMs: 30 * DAY_MS,
  suspicious: { lowRisk: 8, highRisk: 3 },
  dangerous: { lowRisk: 16, highRisk: 6 },
  count(rows, homeDeviceOf) {
    const atHome = [...groupRows(rows, ({ account }) => account)].filter(
      ([account, [row]]) => homeDeviceOf(account) === row?.deviceId,
    )
    return { count: atHome.length, rows: atHome.flatMap(([, ofAccount]) => ofAccount) }
  },
}

/** Thirty days, as for the devices of an account. A visitor ID sticks to its device, so the thresholds are lower. */
export const manyDevicesOnVisitor: Pattern = {
  name: 'many_devices_on_visitor',
  entity: 'visitor_id',
  windowMs: 30 * DAY_MS,
  suspicious: { lowRisk: 5, highRisk: 3 },
  dangerous: { lowRisk: 10, highRisk: 5 },
  count: (rows) => countDistinct(rows, ({ deviceId }) => deviceId),
}
