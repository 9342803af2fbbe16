import type { Operator } from '../population/operator.ts'

/** Some providers give another address each day, most once in a while. */
export const operator: Operator = {
  name: 'address change',
  evolve({ home, device }, days, chance) {
    const meanDays = device.home.country % 7 === 0 ? 4 : 70
    if (chance.happens(1 - Math.exp(-days / meanDays))) home.renew()
  },
}
