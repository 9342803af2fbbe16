import type { DecisionRuleChanges, DecisionRuleText, DecisionThresholds } from '@inkling/contract'
import { DECISION_RULES_MAX } from '@inkling/contract/account'
import type { Kysely, Selectable } from 'kysely'
import type { DecisionRuleTable, DecisionThresholdTable } from '../decision-tables.ts'
import { bumpDirectoryVersion } from '../domains/domains.ts'
import type { Schema } from '../schema.ts'

export type DecisionRuleRow = Selectable<DecisionRuleTable>
export type DecisionThresholdRow = Selectable<DecisionThresholdTable>

/** A rule with the number and version under which it was saved. */
export interface DecisionRule extends DecisionRuleText {
  /** Counts from 1 in each domain. */
  id: number
  version: number
}

/** What a domain decides by. */
export interface DecisionRules {
  rules: readonly DecisionRule[]
  thresholds: DecisionThresholds
}

export const NO_THRESHOLDS: DecisionThresholds = { review: null, challenge: null, deny: null }

export const readDecisionRule = (row: DecisionRuleRow): DecisionRule => ({
  id: row.rule_id,
  version: row.version,
  name: row.name,
  condition: row.condition,
  effect: JSON.parse(row.effect) as DecisionRule['effect'],
  priority: row.priority,
  purposes: row.purposes === null ? null : (JSON.parse(row.purposes) as DecisionRule['purposes']),
  state: row.state,
})

interface Author {
  actor: string
  nowMs: number
}

/** The domains' rules with all of their versions. Writes need a transaction. */
export const decisionRuleStore = (db: Kysely<Schema>) => ({
  listLatest: (): Promise<DecisionRuleRow[]> =>
    db
      .selectFrom('decision_rules')
      .selectAll()
      .where('latest', '=', 1)
      .orderBy('domain_id')
      .orderBy('rule_id')
      .execute(),

  listThresholds: (): Promise<DecisionThresholdRow[]> =>
    db.selectFrom('decision_thresholds').selectAll().execute(),

  list: (domainId: number): Promise<DecisionRuleRow[]> =>
    db
      .selectFrom('decision_rules')
      .selectAll()
      .where('domain_id', '=', domainId)
      .where('latest', '=', 1)
      .orderBy('rule_id')
      .execute(),

  /** Newest first; those of removed rules, too. */
  versions: (domainId: number, ruleId: number): Promise<DecisionRuleRow[]> =>
    db
      .selectFrom('decision_rules')
      .selectAll()
      .where('domain_id', '=', domainId)
      .where('rule_id', '=', ruleId)
      .orderBy('version', 'desc')
      .execute(),

  async thresholds(domainId: number): Promise<DecisionThresholds> {
    const row = await db
      .selectFrom('decision_thresholds')
      .select(['review', 'challenge', 'deny'])
      .where('domain_id', '=', domainId)
      .executeTakeFirst()
    return row ?? NO_THRESHOLDS
  },

  /** Adds a rule. Undefined where the domain has as many as it may have. */
  async add(domainId: number, text: DecisionRuleText, author: Author): Promise<DecisionRuleRow | undefined> {
    // First, because two additions at once would take the same number: the second waits here.
    await bumpDirectoryVersion(db)
    const { newest, count } = await db
      .selectFrom('decision_rules')
      .select(({ fn }) => [fn.max('rule_id').as('newest'), fn.sum<number | null>('latest').as('count')])
      .where('domain_id', '=', domainId)
      .executeTakeFirstOrThrow()
    if (Number(count ?? 0) >= DECISION_RULES_MAX) return undefined
    return insertVersion(db, { domainId, ruleId: (newest ?? 0) + 1, version: 1 }, text, author)
  },

  /** Saves another version of a rule. Undefined where there is no such rule. */
  async change(
    domainId: number,
    ruleId: number,
    changes: DecisionRuleChanges,
    author: Author,
  ): Promise<DecisionRuleRow | undefined> {
    const latest = await db
      .updateTable('decision_rules')
      .set({ latest: 0 })
      .where('domain_id', '=', domainId)
      .where('rule_id', '=', ruleId)
      .where('latest', '=', 1)
      .returningAll()
      .executeTakeFirst()
    if (!latest) return undefined
    const rule = readDecisionRule(latest)
    const changed: DecisionRuleText = {
      name: changes.name ?? rule.name,
      condition: changes.condition ?? rule.condition,
      effect: changes.effect ?? rule.effect,
      priority: changes.priority ?? rule.priority,
      purposes: changes.purposes === undefined ? rule.purposes : changes.purposes,
      state: changes.state ?? rule.state,
    }
    return insertVersion(db, { domainId, ruleId, version: rule.version + 1 }, changed, author)
  },

  /** Removes a rule. Its versions stay, because decisions name them. */
  async remove(domainId: number, ruleId: number): Promise<boolean> {
    const { numUpdatedRows } = await db
      .updateTable('decision_rules')
      .set({ latest: 0 })
      .where('domain_id', '=', domainId)
      .where('rule_id', '=', ruleId)
      .where('latest', '=', 1)
      .executeTakeFirst()
    if (numUpdatedRows === 0n) return false
    await bumpDirectoryVersion(db)
    return true
  },

  async setThresholds(domainId: number, thresholds: DecisionThresholds): Promise<void> {
    await db
      .insertInto('decision_thresholds')
      .values({ domain_id: domainId, ...thresholds })
      .onConflict((conflict) => conflict.column('domain_id').doUpdateSet(thresholds))
      .execute()
    await bumpDirectoryVersion(db)
  },
})

async function insertVersion(
  db: Kysely<Schema>,
  { domainId, ruleId, version }: { domainId: number; ruleId: number; version: number },
  text: DecisionRuleText,
  { actor, nowMs }: Author,
): Promise<DecisionRuleRow> {
  const row = await db
    .insertInto('decision_rules')
    .values({
      domain_id: domainId,
      rule_id: ruleId,
      version,
      created_at: nowMs,
      actor,
      name: text.name,
      condition: text.condition,
      effect: JSON.stringify(text.effect),
      priority: text.priority,
      purposes: text.purposes === null ? null : JSON.stringify(text.purposes),
      state: text.state,
      latest: 1,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
  await bumpDirectoryVersion(db)
  return row
}
