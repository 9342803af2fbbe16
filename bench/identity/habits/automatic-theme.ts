import type { Operator } from '../population/operator.ts'

/** One in four has a theme that follows the time of day. */
export const operator: Operator = {
  name: 'automatic theme',
  visit(visit, { index }, chance) {
    if (index % 4 === 1)
      visit.preferences = { ...visit.preferences, colorScheme: chance.happens(0.5) ? 'dark' : 'light' }
  },
}
