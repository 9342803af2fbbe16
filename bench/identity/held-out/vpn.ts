import type { Operator } from '../population/operator.ts'

/** Some visits come from one of a few VPN exits that thousands of people share. */
export const operator: Operator = {
  name: 'VPN',
  visit(visit, { index }, chance) {
    if (index % 12 === 0 && chance.happens(0.5)) visit.address = `185.65.134.${1 + chance.below(20)}`
  },
}
