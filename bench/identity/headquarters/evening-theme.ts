import type { Operator } from '../population/operator.ts'

/** Every second phone is dark after sunset, and a few people change their minds for good. */
export const operator: Operator = {
  name: 'evening theme',
  evolve({ device }, days, chance) {
    const { preferences } = device
    if (!chance.happens(1 - Math.exp(-days / 700))) return
    device.preferences = {
      ...preferences,
      colorScheme: preferences.colorScheme === 'dark' ? 'light' : 'dark',
    }
  },
  visit(visit, { index, cohort }, chance) {
    if ((cohort !== 'phone' && cohort !== 'android') || index % 2 !== 0) return
    visit.preferences = { ...visit.preferences, colorScheme: chance.happens(0.4) ? 'dark' : 'light' }
  },
}
