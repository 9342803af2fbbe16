import type { Place } from '../population/device.ts'
import type { Operator } from '../population/operator.ts'

/** One in forty phones moves into another household, so identical phones may share an address. */
let host: Place | undefined
export const operator: Operator = {
  name: 'household',
  evolve({ device, home }, _days, chance) {
    if (device.cohort !== 'phone' || !chance.happens(0.01)) return
    if (host) {
      const place = host
      device.habits = { ...device.habits, places: [[place, 0.6], ...device.habits.places.slice(1)] }
    }
    host = home
  },
}
