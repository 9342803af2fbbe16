import type { Operator } from '../population/operator.ts'

/** One in four Firefox users has strict protection, which adds noise in every window. */
export const operator: Operator = {
  name: 'strict Firefox',
  visit(visit, { index, software }) {
    if (software.browser === 'Firefox' && index % 4 === 2) visit.noise = true
  },
}
