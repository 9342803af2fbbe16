import type { IdentityDecision } from '../../visit/identification.ts'
import { clear, defineSignal, hit, unknown } from '../define-signal.ts'
import { evidenceOf, type Indicator, reachesThreshold } from '../indicators.ts'

/** A browser may lose its stored keys and keep its cookies, so that alone is little. */
const KEY_POINTS = 10
/** Of each part of the surroundings that is another. A journey changes two of them, a new monitor a third. */
const PLACE_POINTS = 6
/** Hardly anybody changes the languages of a browser, and not for a journey. */
const LANGUAGE_POINTS = 8

/** Components that change together, as `identify/components.ts` names them. */
const SURROUNDINGS: Readonly<Record<string, readonly string[]>> = {
  network: ['prefix'],
  timezone: ['timezone'],
  languages: ['languages'],
  screen: ['screen'],
  graphics: ['gpu', 'limits'],
}

/** Another version of the browser, or its settings, reports other limits of the same graphics card. */
const OF_THE_CARD = 'limits'

export const cookieOnOtherMachine = defineSignal({
  name: 'cookie_on_other_machine',
  title: 'Cookie of another machine',
  weight: 60,
  meaning:
    'The cookie belongs to a browser on another machine: the key that came with it before is missing or replaced, and the hardware differs, or nearly everything around it.',
  evidence: 'The keys that browsers proved with the cookie before, and what else the device had.',
  innocentCauses: [
    'a program that copies cookies between the machines of one person',
    'a browser that hides its hardware and lost its stored keys, on a journey, after its languages were changed',
    'a machine that got new hardware, whose browser lost its stored keys but kept its cookies',
  ],
  test({ identity: { decision } }) {
    const key = decision?.keyHistory
    if (decision === undefined || key === undefined) return unknown
    if (key === 'another_machine')
      return hit('Cookie on other machine', {
        key,
        hardware: decision.hardwareFlips,
        changed: decision.changed,
      })
    const found = key === 'replaced' ? changedSurroundings(decision) : []
    return reachesThreshold(found) ? hit('Cookie on other machine', { key, ...evidenceOf(found) }) : clear
  },
})

function changedSurroundings({ changed, agreed, isOtherVersion }: IdentityDecision): Indicator[] {
  const isSameCard = isOtherVersion || agreed.includes('gpu')
  const counts = (name: string): boolean => changed.includes(name) && !(isSameCard && name === OF_THE_CARD)
  return [
    { name: 'key_replaced', group: 'key', points: KEY_POINTS, evidence: true },
    ...Object.entries(SURROUNDINGS).flatMap(([group, components]) => {
      const different = components.filter(counts)
      return different.length === 0
        ? []
        : [{ name: `other_${group}`, group, points: pointsOf(group), evidence: different }]
    }),
  ]
}

const pointsOf = (group: string): number => (group === 'languages' ? LANGUAGE_POINTS : PLACE_POINTS)
