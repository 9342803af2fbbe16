import type { Operator } from '../population/operator.ts'

/** Two of three lines get another address each night. */
export const operator: Operator = {
  name: 'daily address',
  evolve({ home, device }, days, chance) {
    if (device.home.country % 3 !== 0 && chance.happens(1 - Math.exp(-days))) home.renew()
  },
}
