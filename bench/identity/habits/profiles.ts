import { digest } from '../population/chance.ts'
import type { Operator } from '../population/operator.ts'

/** One in twelve desktops has a second profile in its browser, with a cookie of its own. */
export const operator: Operator = {
  name: 'profiles',
  visit(visit, { index, cohort, software, cookieId }, chance) {
    const isTaken = visit.cookieId !== cookieId || software.browser === 'Safari'
    if (cohort !== 'desktop' || index % 12 !== 5 || isTaken || !chance.happens(0.4)) return
    const [left, right] = [digest(`profile ${index}`), digest(`second ${index} ${visit.hardware.gpu}`)]
    visit.cookieId = `${left.slice(0, 8)}-${left.slice(8, 12)}-4${left.slice(13)}-a${right.slice(0, 3)}-${right.slice(3, 15)}`
    visit.otherCookie = true
  },
}
