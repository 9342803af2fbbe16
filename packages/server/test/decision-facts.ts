import type { DecisionFacts } from '../src/decide/decision-facts.ts'
import { factsOf } from '../src/decide/decision-facts.ts'
import { score } from '../src/score/score.ts'
import { identificationRow } from '../src/store/identifications/identification-row.ts'
import { VELOCITY_COUNTERS, VELOCITY_SUBJECTS, type Velocity } from '../src/visit/velocity.ts'
import { identified } from './identified.ts'

type Given = Partial<Omit<DecisionFacts, 'identity' | 'signals' | 'lists' | 'flags' | 'velocity'>> & {
  identity?: Partial<DecisionFacts['identity']>
  signals?: DecisionFacts['signals']
  lists?: Partial<DecisionFacts['lists']>
  /** This often in every window, of everything but the account, which the visit lacks. */
  counted?: number
}

/** The facts of an ordinary visit, changed. */
export function decisionFacts({ identity, signals, lists, counted, ...given }: Given = {}): DecisionFacts {
  const row = { ...identificationRow(score(identified())), id: 1 }
  const facts = factsOf(row, { purpose: 'signup', fields: {}, atMs: row.created_at })
  return {
    ...facts,
    ...given,
    identity: { ...facts.identity, ...identity },
    signals: { ...facts.signals, ...signals },
    flags: { ...facts.flags, vpn: signals?.vpn === true },
    lists: { ...facts.lists, ...lists },
    velocity: counted === undefined ? facts.velocity : countedAs(counted),
  }
}

function countedAs(count: number): Velocity {
  const windows = { m5: count, h1: count, h24: count, d7: count }
  const counts = Object.fromEntries(VELOCITY_COUNTERS.map((name) => [name, windows]))
  return Object.fromEntries(
    VELOCITY_SUBJECTS.map((subject) => [subject, subject === 'account' ? null : counts]),
  ) as Velocity
}
