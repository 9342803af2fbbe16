import type { Operator } from '../population/operator.ts'

/** Safari deletes script-written storage after seven days without a visit. */
export const operator: Operator = {
  name: 'Safari storage',
  evolve({ device }, days, chance) {
    if (device.software.browser === 'Safari' && days > 7 && chance.happens(0.85))
      device.cookieId = chance.uuid()
  },
}
