import type { Operator } from '../population/operator.ts'

/** A page over plain HTTP can read less. */
export const operator: Operator = {
  name: 'insecure page',
  visit(visit, _device, chance) {
    if (chance.happens(0.004)) visit.insecure = true
  },
}
