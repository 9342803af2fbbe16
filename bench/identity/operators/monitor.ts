import { buyMonitor } from '../population/machines.ts'
import type { Operator } from '../population/operator.ts'

/** A docked laptop uses the screen of the dock; now and then somebody buys another screen. */
export const operator: Operator = {
  name: 'monitor',
  evolve({ device }, days, chance) {
    const { system } = device.hardware
    if (system === 'iOS' || system === 'Android') return
    if (chance.happens(1 - Math.exp(-days / 1_200)))
      device.hardware = { ...device.hardware, screen: buyMonitor(chance) }
  },
  visit(visit, { habits }, chance) {
    if (habits.dock && chance.happens(0.35)) visit.hardware = { ...visit.hardware, screen: habits.dock }
  },
}
