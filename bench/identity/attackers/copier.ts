import type { VisitState } from '../population/device.ts'
import type { Operator } from '../population/operator.ts'

let seen: VisitState | undefined

/** A third of the attackers copy all readings of the latest visit and send them from elsewhere, without a cookie. */
export const operator: Operator = {
  name: 'copier',
  visit(visit, { index, cohort, home }, chance, networks) {
    if (cohort !== 'attacker') {
      if (chance.happens(0.05)) seen = { ...visit }
      return
    }
    if (index % 3 !== 0 || !seen) return
    const { hardware, software, preferences } = seen
    visit.hardware = hardware
    visit.software = software
    visit.preferences = preferences
    visit.cookieId = chance.uuid()
    visit.otherCookie = true
    visit.address = networks.elsewhere(home.country).address()
  },
}
