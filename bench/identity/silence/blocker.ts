import type { Operator } from '../population/operator.ts'

/** One desktop in nine has an extension that keeps pages from reading its fonts or its GPU. */
export const operator: Operator = {
  name: 'blocker',
  visit(visit, { index, hardware }) {
    if (index % 9 !== 4 || hardware.system === 'iOS' || hardware.system === 'Android') return
    visit.withheld = index % 2 === 0 ? ['typefaces'] : ['webgl']
  },
}
