import type { Operator } from '../population/operator.ts'

/** A third of people clear cookies sometimes (32% of instances, Li and Cao 2020). */
export const operator: Operator = {
  name: 'cookie clear',
  evolve({ device }, _days, chance) {
    if (chance.happens(0.078)) device.cookieId = chance.uuid()
  },
}
