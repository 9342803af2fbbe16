import type { Operator } from '../population/operator.ts'

/** The page is zoomed for this visit. */
export const operator: Operator = {
  name: 'zoom',
  visit(visit, { hardware }, chance) {
    if (hardware.system === 'iOS' || hardware.system === 'Android' || !chance.happens(0.04)) return
    visit.preferences = { ...visit.preferences, zoom: chance.pick([0.8, 0.9, 1.1, 1.25, 1.5]) }
  },
}
