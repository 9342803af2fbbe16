import type { Operator } from '../population/operator.ts'

/** No cookie, and in Safari and Firefox noise or fewer readings. */
export const operator: Operator = {
  name: 'private window',
  visit(visit, device, chance) {
    if (!chance.happens(0.055)) return
    visit.cookieId = chance.uuid()
    visit.hidden = true
    const { browser } = device.software
    if (browser === 'Safari' || browser === 'Firefox') visit.noise = true
  },
}
