import { countDistinct } from './distinct.ts'
import { DAY_MS, type Pattern } from './pattern.ts'

/** Thirty days, as for devices of an account. A visitor sticks to a device, so that few are many here. */
export const manyDevicesOnVisitor: Pattern = {
  name: 'many_devices_on_visitor',
  entity: 'visitor_id',
  windowMs: 30 * DAY_MS,
  suspicious: { calm: 5, risky: 3 },
  dangerous: { calm: 10, risky: 5 },
  weigh: (rows) => countDistinct(rows, ({ deviceId }) => deviceId),
}
