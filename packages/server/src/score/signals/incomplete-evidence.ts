import { missingEvidence } from '../completeness/missing-evidence.ts'
import { clear, defineSignal, hit, unknown } from '../define-signal.ts'
import { DECISIVE_POINTS, evidenceOf } from '../indicators.ts'

export const incompleteEvidence = defineSignal({
  name: 'incomplete_evidence',
  title: 'Lacks what every visit has',
  weight: 90,
  meaning:
    'The body lacks what the agent sends in every browser, or comes without digest or key and without the ticket that practically all visits of the domain bring, so probably no browser sent it.',
  evidence:
    'Which readings the body names, with a value or an error; whether those that timed out can have; the ticket, the digest and the signature at its end.',
  innocentCauses: [
    'a page that was left within the first moment while an agent of an earlier release was still in its cache',
    'a page that still has an agent of a release before tickets, and whose policy allows no WebSocket',
  ],
  test(identified) {
    if (identified.via !== 'agent') return unknown
    const found = missingEvidence(identified).filter(({ points }) => points >= DECISIVE_POINTS)
    const [reason] = found
    if (reason) return hit(`Incomplete evidence (${reason.name})`, evidenceOf(found))
    return identified.proof ? clear : unknown
  },
})
