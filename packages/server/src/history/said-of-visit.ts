import {
  ChangedDecision,
  DECISION_PURPOSES,
  EXPLAINED_LABELS_MAX,
  type Explanation,
  StoredDecision,
} from '@inkling/contract'
import type { Kysely } from 'kysely'
import { type DecisionRow, decisionStore } from '../store/decisions/decisions.ts'
import type { IdentificationRow } from '../store/identifications/identifications.ts'
import { labelStore } from '../store/labels/labels.ts'
import { type StoredLabel, subjectsOf } from '../store/labels/labels-of.ts'
import { presentLabel } from '../store/labels/new-label.ts'
import type { Schema } from '../store/schema.ts'

/** What was decided about a visit, and the labels of what it has: for the customer's backend only. */
export async function saidOfVisit(
  db: Kysely<Schema>,
  row: IdentificationRow,
): Promise<Pick<Explanation, 'decisions' | 'labels'>> {
  const { domain_id, request_id } = row
  const page = { before: undefined, limit: DECISION_PURPOSES.length }
  const [decisions, labels] = await Promise.all([
    request_id === null ? [] : decisionStore(db).page(domain_id, { requestId: request_id }, page),
    Promise.all([...subjectsOf(row)].map(([type, value]) => labelStore(db).about(domain_id, type, [value]))),
  ])
  const newest = labels.flat().sort((a, b) => b.atMs - a.atMs || b.id - a.id)
  return {
    ...(decisions.length > 0 && { decisions: decisions.map(presentStoredDecision) }),
    ...(newest.length > 0 && { labels: newest.slice(0, EXPLAINED_LABELS_MAX).map(withoutAuthor) }),
  }
}

export const presentStoredDecision = ({ answer, later }: DecisionRow): StoredDecision =>
  StoredDecision.parse({
    ...JSON.parse(answer),
    changed: later === null ? null : ChangedDecision.parse(JSON.parse(later)),
  })

/** The author is one of the customer's people. */
function withoutAuthor(stored: StoredLabel) {
  const { author: _author, ...label } = presentLabel(stored)
  return label
}
