import { FONT_PACKS } from '../population/fonts.ts'
import type { Operator } from '../population/operator.ts'

/** A program installs its fonts; rarely one is uninstalled with its fonts. */
export const operator: Operator = {
  name: 'font install',
  evolve({ device }, days, chance) {
    const { system } = device.hardware
    if (system === 'iOS' || system === 'Android' || device.software.browser === 'Safari') return
    if (!chance.happens(1 - Math.exp(-days / (device.cohort === 'fleet' ? 1_200 : 400)))) return
    const [fonts] = chance.pick(FONT_PACKS)
    const removed = chance.happens(0.2)
    device.software = {
      ...device.software,
      fonts: removed
        ? device.software.fonts.filter((font) => !fonts.includes(font))
        : [...new Set([...device.software.fonts, ...fonts])].sort(),
    }
  },
}
