import type { Operator } from '../population/operator.ts'

/** Lines with IPv6 get another prefix every few days. */
export const operator: Operator = {
  name: 'IPv6 renewal',
  evolve({ home }, days, chance) {
    if (home.six && chance.happens(1 - Math.exp(-days / 3))) home.renew()
  },
}
