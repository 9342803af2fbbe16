import { implausibleValues } from '../completeness/implausible-values.ts'
import { missingEvidence } from '../completeness/missing-evidence.ts'
import { clear, defineSignal, hit, unknown } from '../define-signal.ts'
import { DECISIVE_POINTS, evidenceOf, reachesThreshold } from '../indicators.ts'

export const implausibleEvidence = defineSignal({
  name: 'implausible_evidence',
  title: 'Values that no browser reports together',
  weight: 60,
  meaning:
    'Several independent values of the body are such as no browser produces, or parts are missing that belong together, so probably a program wrote it.',
  evidence:
    'The form of hashes and lists, zone and offset of the clock, ranges of screen and hardware, constants of the claimed engine, and what is missing.',
  innocentCauses: ['several extensions at once that put made-up values into the browser'],
  test(identified) {
    if (identified.via !== 'agent') return unknown
    const missing = missingEvidence(identified).filter(({ points }) => points < DECISIVE_POINTS)
    const found = [...implausibleValues(identified), ...missing].sort((a, b) => b.points - a.points)
    const [reason] = found
    if (reason && reachesThreshold(found))
      return hit(`Implausible evidence (${reason.name})`, evidenceOf(found))
    return Object.values(identified.readings).some((fact) => fact.ok) ? clear : unknown
  },
})
