import { COUNTRIES } from '../population/countries.ts'
import type { Operator } from '../population/operator.ts'

/** A different time zone and address for some time. */
export const operator: Operator = {
  name: 'travel',
  visit(visit, _device, chance, networks) {
    if (!chance.happens(0.012)) return
    const country = chance.pickByRank(COUNTRIES, 0.7)
    visit.preferences = { ...visit.preferences, timezone: country.zone, offsetMinutes: country.offsetMinutes }
    visit.address = networks.elsewhere(COUNTRIES.indexOf(country)).address()
  },
}
