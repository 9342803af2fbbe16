import { BAND_NAMES, type Band, DECISION_ACTIONS, type DecisionAction } from '@inkling/contract'
import type { Decision } from '../../decide/decide.ts'
import type { DecisionFacts } from '../../decide/decision-facts.ts'
import { requestIdText } from '../../store/identifications/lookup.ts'
import { emptyAgreement, type LabelAgreement } from './label-agreement.ts'

interface ChangeCounts {
  visits: number
  changed: number
}

interface ChangedDecision {
  requestId: string
  atMs: number
  score: number
  before: DecisionAction
  after: DecisionAction
  reasons: readonly string[]
}

interface TestedRule {
  rule: number
  name: string
  met: number
  failed: number
  message: string | null
}

/** What other rules change. */
export interface DecisionDifferences extends ChangeCounts {
  matrix: Record<DecisionAction, Record<DecisionAction, number>>
  bands: Record<Band, ChangeCounts>
  countries: Map<string | null, ChangeCounts>
  accounts: Map<string, ChangeCounts>
  changedAccounts: number
  rules: Map<string, TestedRule>
  labels: LabelAgreement
  /** The first few of each change. */
  samples: ChangedDecision[]
}

const SAMPLES_PER_PAIR = 5

function each<Name extends string, Value>(names: readonly Name[], make: () => Value): Record<Name, Value> {
  return Object.fromEntries(names.map((name) => [name, make()])) as Record<Name, Value>
}

const none = (): ChangeCounts => ({ visits: 0, changed: 0 })

/** A report on no visits yet, with the rules that may meet. */
export const noDifferences = (rules: readonly { id: number; name: string }[]): DecisionDifferences => ({
  ...none(),
  matrix: each(DECISION_ACTIONS, () => each(DECISION_ACTIONS, () => 0)),
  bands: each(BAND_NAMES, none),
  countries: new Map(),
  accounts: new Map(),
  changedAccounts: 0,
  rules: new Map(
    rules.map(({ id, name }) => [ruleKey(id, name), { rule: id, name, met: 0, failed: 0, message: null }]),
  ),
  labels: emptyAgreement(),
  samples: [],
})

/** New rules have no number yet. */
const ruleKey = (id: number, name: string): string => `${id} ${name}`

export interface ComparedDecision {
  requestId: Uint8Array | null
  atMs: number
  facts: DecisionFacts
  before: DecisionAction
  after: Decision
}

/** Adds one visit. */
export function addDecision(
  differences: DecisionDifferences,
  { requestId, atMs, facts, before, after }: ComparedDecision,
): void {
  const isChanged = before !== after.action
  add(differences, isChanged)
  add(differences.bands[facts.band], isChanged)
  addTo(differences.countries, facts.country, isChanged)
  if (facts.account !== null) {
    const ofAccount = addTo(differences.accounts, facts.account, isChanged)
    if (isChanged && ofAccount.changed === 1) differences.changedAccounts += 1
  }
  const ofBefore = differences.matrix[before]
  ofBefore[after.action] += 1
  for (const { rule, name } of after.met) {
    const tested = differences.rules.get(ruleKey(rule, name))
    if (tested) tested.met += 1
  }
  for (const { rule, name, message } of after.failed) {
    const tested = differences.rules.get(ruleKey(rule, name))
    if (!tested) continue
    tested.failed += 1
    tested.message ??= message
  }
  if (isChanged && ofBefore[after.action] <= SAMPLES_PER_PAIR)
    differences.samples.push({
      requestId: requestIdText(requestId),
      ...{ atMs, score: facts.score, before, after: after.action, reasons: after.reasons },
    })
}

function add(counts: ChangeCounts, isChanged: boolean): void {
  counts.visits += 1
  if (isChanged) counts.changed += 1
}

function addTo<Key>(map: Map<Key, ChangeCounts>, key: Key, isChanged: boolean): ChangeCounts {
  const counts = map.get(key) ?? none()
  add(counts, isChanged)
  map.set(key, counts)
  return counts
}

const MOST = 20

/** Those with the most changes. */
export const mostChanged = <Key>(counts: ReadonlyMap<Key, ChangeCounts>): [Key, ChangeCounts][] =>
  [...counts]
    .filter(([, { changed }]) => changed > 0)
    .sort(([, a], [, b]) => b.changed - a.changed || b.visits - a.visits)
    .slice(0, MOST)
