import { type Kysely, type Selectable, sql } from 'kysely'
import { DAY_MS } from '../../lib/durations.ts'
import type { DecisionRuleHitTable } from '../decision-tables.ts'
import type { Schema } from '../schema.ts'

export type RuleHitRow = Selectable<DecisionRuleHitTable>

/** Older ones are removed. */
const HITS_KEPT_MS = 90 * DAY_MS

/** Of a statement; engines limit its parameters. */
const HITS_AT_ONCE = 500

export const ruleHitStore = (db: Kysely<Schema>) => ({
  /** Adds to what is counted. Needs a transaction. */
  async add(rows: readonly RuleHitRow[]): Promise<void> {
    for (let start = 0; start < rows.length; start += HITS_AT_ONCE)
      await db
        .insertInto('decision_rule_hits')
        .values(rows.slice(start, start + HITS_AT_ONCE))
        .onConflict((conflict) =>
          conflict.columns(['domain_id', 'rule_id', 'day', 'state']).doUpdateSet(({ ref }) => ({
            met: sql<number>`${ref('decision_rule_hits.met')} + ${ref('excluded.met')}`,
            failed: sql<number>`${ref('decision_rule_hits.failed')} + ${ref('excluded.failed')}`,
          })),
        )
        .execute()
  },

  removeOlder: (nowMs: number) =>
    db
      .deleteFrom('decision_rule_hits')
      .where('day', '<', nowMs - HITS_KEPT_MS)
      .execute(),

  list: (domainId: number, sinceMs: number): Promise<RuleHitRow[]> =>
    db
      .selectFrom('decision_rule_hits')
      .selectAll()
      .where('domain_id', '=', domainId)
      .where('day', '>=', sinceMs)
      .orderBy('day')
      .execute(),
})
