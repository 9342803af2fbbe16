import type { Operator } from '../population/operator.ts'

/** Cookies end after ninety days, and one person in fifteen empties the browser each week. */
export const operator: Operator = {
  name: 'tidy',
  evolve({ device }, days, chance) {
    const empties = device.index % 15 === 3 && days > 7
    if (empties || days > 90 || (device.software.browser === 'Safari' && days > 7))
      device.cookieId = chance.uuid()
  },
}
