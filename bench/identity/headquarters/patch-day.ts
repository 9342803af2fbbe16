import type { Operator } from '../population/operator.ts'

/** A company gives all of its laptops the same build, a few versions at a time and months apart. */
export const operator: Operator = {
  name: 'patch day',
  evolve({ device }, days, chance) {
    const { cohort, software } = device
    if (software.browser === 'Safari') return
    if (cohort !== 'fleet' && chance.happens(1 - Math.exp(-days / 35))) {
      const major = software.major + 1
      device.software = { ...software, major, build: `${major}.0.${7000 + major}.${chance.below(9)}` }
    }
    if (cohort === 'fleet' && chance.happens(1 - Math.exp(-days / 60))) {
      const major = software.major + 2
      device.software = { ...software, major, build: `${major}.0.${7000 + major}.10` }
    }
  },
}
