import type { Operator } from '../population/operator.ts'

const oldDays = new WeakMap<object, number>()

/** Browsers that update themselves on the day, every four weeks, however seldom somebody looks in. */
export const operator: Operator = {
  name: 'timed update',
  evolve({ device }, days, chance) {
    const { software, home } = device
    if (software.browser === 'Safari') return
    const old = (oldDays.get(home) ?? chance.number() * 28) + days
    oldDays.set(home, old % 28)
    const major = software.major + Math.floor(old / 28)
    if (major > software.major)
      device.software = { ...software, major, build: `${major}.0.${7000 + major}.${chance.below(6)}` }
  },
}
