import type { Operator } from '../population/operator.ts'

/** Some providers change the address every day, most of them now and then. */
export const operator: Operator = {
  name: 'address change',
  evolve({ home, device }, days, chance) {
    const meanDays = device.home.country % 7 === 0 ? 4 : 70
    if (chance.happens(1 - Math.exp(-days / meanDays))) home.renew()
  },
}
