import { PATTERN_CATALOGUE, type PatternName } from '@inkling/contract'
import type { Kysely } from 'kysely'
import { changeOf } from '../../deliver/webhook-events.ts'
import { alertRuleStore, conditionOf } from '../../store/alerts/alert-rules.ts'
import { recordAlertEvents } from '../../store/alerts/record-events.ts'
import { domainStore } from '../../store/domains/domains.ts'
import type { FindingChange } from '../../store/findings/findings.ts'
import type { Schema } from '../../store/schema.ts'

/** Tells the alert rules of a new or raised finding, in the transaction that changes it: neither twice nor never. */
export async function recordFindingAlerts(
  transaction: Kysely<Schema>,
  { before, after }: FindingChange,
  nowMs: number,
): Promise<void> {
  const change = changeOf(before, after)
  if (change !== 'new' && change !== 'raised') return
  const rules = await alertRuleStore(transaction).watching('finding', after.domain_id)
  if (rules.length === 0) return
  const domain = await domainStore(transaction).findById(after.domain_id)
  if (!domain) return
  const { title = after.pattern } = PATTERN_CATALOGUE[after.pattern as PatternName] ?? {}
  for (const rule of rules) {
    const when = conditionOf(rule)
    if (when.source !== 'finding') continue
    if (when.grade === 'dangerous' && after.grade !== 'dangerous') continue
    if (when.patterns.length > 0 && !when.patterns.includes(after.pattern as PatternName)) continue
    const event = {
      key: `finding:${after.id}:${nowMs}`,
      atMs: nowMs,
      reference: `finding:${after.id}`,
      text: `${title}: ${after.grade}, ${after.count} (${after.entity_type} ${after.entity_value})`,
      path: `/d/${domain.name}/patterns/${after.id}`,
    }
    await recordAlertEvents(transaction, rule, [event], nowMs)
  }
}
