import type { Operator } from '../population/operator.ts'

/** Two thirds of what company laptops do at home goes through the company's own address. */
export const operator: Operator = {
  name: 'company VPN',
  visit(visit, { cohort, habits }, chance) {
    const office = habits.places[0]?.[0]
    if (cohort === 'fleet' && office && chance.happens(0.66)) visit.address = office.address()
  },
}
