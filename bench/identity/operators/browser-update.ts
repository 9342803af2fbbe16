import type { Operator } from '../population/operator.ts'

/** Chromium and Firefox update every four weeks, Safari with its system. */
export const operator: Operator = {
  name: 'browser update',
  evolve({ device }, days, chance) {
    const { software } = device
    const meanDays = software.browser === 'Safari' ? 150 : 30
    if (!chance.happens(1 - Math.exp(-days / meanDays))) return
    const steps = software.browser === 'Safari' ? 0 : 1 + (days > 45 ? 1 : 0)
    const major = software.major + steps
    const build =
      software.browser === 'Safari'
        ? `${Number.parseInt(software.build, 10)}.${chance.below(4) + 2}`
        : `${major}.0.${7000 + major}.${chance.below(120)}`
    device.software = {
      ...software,
      major,
      build,
      systemVersion: device.hardware.system === 'iOS' ? build : software.systemVersion,
    }
  },
}
