import type { Operator } from '../population/operator.ts'

/** One in twenty clears everything whenever the browser is closed, the others now and then. */
export const operator: Operator = {
  name: 'clearing',
  evolve({ device }, days, chance) {
    const clearsAtExit = device.index % 20 === 7 && days > 1 / 24
    if (clearsAtExit || chance.happens(1 - Math.exp(-days / 150))) device.cookieId = chance.uuid()
  },
}
