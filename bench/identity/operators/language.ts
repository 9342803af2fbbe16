import type { Operator } from '../population/operator.ts'

const ADDED = ['en', 'fr', 'es', 'de', 'it', 'ru']

/** Somebody adds a language or changes the preferred one. */
export const operator: Operator = {
  name: 'language',
  evolve({ device }, days, chance) {
    if (!chance.happens(1 - Math.exp(-days / 900))) return
    const { languages } = device.preferences
    const added = chance.pick(ADDED)
    device.preferences = {
      ...device.preferences,
      languages: chance.happens(0.7)
        ? [...new Set([...languages, added])]
        : [...new Set([added, ...languages])],
    }
  },
}
