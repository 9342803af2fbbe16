import type { Operator } from '../population/operator.ts'

/** Cookies of the latest visits that can be stolen. */
const STOLEN = 20
let stealable: string[] = []

/**
 * Two thirds of the attackers steal a cookie and send it from their own machine, half of these without the readings
 * of the machine.
 */
export const operator: Operator = {
  name: 'cookie thief',
  visit(visit, { index, cohort, cookieId }, chance) {
    if (cohort !== 'attacker') {
      if (visit.cookieId === cookieId) stealable = [visit.cookieId, ...stealable].slice(0, STOLEN)
      return
    }
    if (index % 3 === 0 || stealable.length === 0) return
    visit.cookieId = chance.pick(stealable)
    visit.otherCookie = true
    if (index % 3 === 2) visit.withheld = ['hardware', 'client_hints', 'webgl']
  },
}
