import type { Operator } from '../population/operator.ts'

/** Half of a school's machines go from hand to hand, and forget everything when a pupil signs out. */
export const operator: Operator = {
  name: 'signed out',
  evolve({ device }, days, chance) {
    if (device.cohort === 'fleet' && device.index % 2 === 0 && days > 1 / 24) device.cookieId = chance.uuid()
  },
}
