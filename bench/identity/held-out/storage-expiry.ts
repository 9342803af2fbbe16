import type { Operator } from '../population/operator.ts'

/** Safari deletes script-written storage after seven days without a visit. */
export const operator: Operator = {
  name: 'storage expiry',
  evolve({ device }, days, chance) {
    if (device.software.browser === 'Safari' && days > 7 && chance.happens(0.25))
      device.cookieId = chance.uuid()
  },
}
