import type { Operator } from '../population/operator.ts'

/** A third of the companies empty the browser each night; everybody else does so once in five months. */
export const operator: Operator = {
  name: 'guest session',
  evolve({ device }, days, chance) {
    const isStrict = device.cohort === 'fleet' && device.home.country % 3 === 1
    if ((isStrict && days > 0.5) || chance.happens(1 - Math.exp(-days / 150))) device.cookieId = chance.uuid()
    if (device.software.browser === 'Safari' && days > 7 && chance.happens(0.7))
      device.cookieId = chance.uuid()
  },
}
