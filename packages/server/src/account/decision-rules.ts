import { type DecisionRuleText, presentTime } from '@inkling/contract'
import {
  type DECISION_RULE_OPERATIONS,
  DECISION_RULES_MAX,
  type DecisionRuleList,
  type DecisionRuleVersion,
  HIT_DAYS,
  type SavedDecisionRule,
} from '@inkling/contract/account'
import type { z } from 'zod'
import { compileCondition } from '../decide/compile-condition.ts'
import { listFacts } from '../decide/condition-facts.ts'
import { decide } from '../decide/decide.ts'
import { factsOf } from '../decide/decision-facts.ts'
import { questionAbout, withNormalNames } from '../decide/question-about.ts'
import { READY_MADE_SETS } from '../decide/ready-made-rules.ts'
import { ruleSetOf } from '../decide/rule-set.ts'
import { savedRules } from '../jobs/decision-back-test/test-decision-rules.ts'
import { DAY_MS } from '../lib/durations.ts'
import { AppError } from '../lib/errors.ts'
import {
  type DecisionRuleRow,
  type DecisionRules,
  decisionRuleStore,
  readDecisionRule,
} from '../store/decision-rules/decision-rules.ts'
import { type RuleHitRow, ruleHitStore } from '../store/decision-rules/rule-hits.ts'
import { identificationStore } from '../store/identifications/identifications.ts'
import { lookupOf } from '../store/identifications/lookup.ts'
import { createListIndex } from '../store/lists/list-index.ts'
import type { AuditEntry } from '../store/users/users.ts'
import { recordChange } from './audit.ts'
import { findDomain } from './domains.ts'
import type { AccountDeps, Handlers } from './handler.ts'

export const decisionRuleOperations: Handlers<typeof DECISION_RULE_OPERATIONS> = {
  listDecisionRules: async ({ params }, deps) =>
    listRules(deps, (await findDomain(deps.store, params.domain)).id),

  addDecisionRule: async ({ params, body, caller }, deps) => {
    checkCondition(body.condition)
    const { id, name } = await findDomain(deps.store, params.domain)
    const entry = { actor: caller.email, action: 'decision_rules.add', target: name }
    const author = { actor: caller.email, nowMs: deps.now() }
    const added = await recordChange(deps, withDetail(entry), (transaction) =>
      decisionRuleStore(transaction).add(id, body, author),
    )
    if (!added) throw tooMany(`the domain has ${DECISION_RULES_MAX} rules, the most it may have; remove one`)
    return presentVersion(added)
  },

  changeDecisionRule: async ({ params, body, caller }, deps) => {
    if (body.condition !== undefined) checkCondition(body.condition)
    const { id, name } = await findDomain(deps.store, params.domain)
    const entry = { actor: caller.email, action: 'decision_rules.change', target: name }
    const author = { actor: caller.email, nowMs: deps.now() }
    const changed = await recordChange(deps, withDetail(entry), (transaction) =>
      decisionRuleStore(transaction).change(id, params.rule_id, body, author),
    )
    if (!changed) throw noRule()
    return presentVersion(changed)
  },

  removeDecisionRule: async ({ params, caller }, deps) => {
    const { id, name } = await findDomain(deps.store, params.domain)
    const detail = { rule: params.rule_id }
    const entry = { actor: caller.email, action: 'decision_rules.remove', target: name, detail }
    const removed = await recordChange(deps, entry, async (transaction) =>
      (await decisionRuleStore(transaction).remove(id, params.rule_id)) ? true : undefined,
    )
    if (!removed) throw noRule()
    return undefined
  },

  listDecisionRuleVersions: async ({ params }, { store }) => {
    const { id } = await findDomain(store, params.domain)
    const rows = await decisionRuleStore(store.reads).versions(id, params.rule_id)
    if (rows.length === 0) throw noRule()
    return { versions: rows.map(presentVersion) }
  },

  setDecisionThresholds: async ({ params, body, caller }, deps) => {
    const { id, name } = await findDomain(deps.store, params.domain)
    const entry = {
      actor: caller.email,
      action: 'decision_rules.thresholds',
      target: name,
      detail: { thresholds: JSON.stringify(body) },
    }
    await recordChange(deps, entry, async (transaction) => {
      await decisionRuleStore(transaction).setThresholds(id, body)
      return true
    })
    return body
  },

  checkDecisionCondition: ({ body }) => {
    const compiled = compileCondition(body.condition)
    return Promise.resolve({ valid: compiled.valid, problem: compiled.valid ? null : compiled.problem })
  },

  tryDecisionRules: async ({ params, body }, { store, directory, now }) => {
    const { id, name } = await findDomain(store, params.domain)
    for (const { condition } of body.rules ?? []) checkCondition(condition)
    const asked = withNormalNames(body)
    const { rows } = await identificationStore(store.reads).search(
      id,
      lookupOf('request_id', body.request_id),
      1,
      0,
    )
    const [row] = rows
    if (!row) throw new AppError('INK_NOT_FOUND', 'no such identification')
    const saved = await savedRules(store, id)
    const rules: DecisionRules = body.rules ? { ...saved, rules: body.rules.map(asOn) } : saved
    const lists = directory.byName(name)?.lists ?? NO_LISTS
    const facts = factsOf(row, questionAbout(row, asked, lists, now()))
    const { action, points, reasons, met, failed } = decide(ruleSetOf(rules), facts)
    return {
      ...{ action, points, reasons, met },
      failed: failed.map(({ rule, name, message }) => ({ rule, name, message })),
      facts: { ...facts },
    }
  },

  listDecisionFacts: () => Promise.resolve({ facts: listFacts() }),

  listReadyMadeRules: () =>
    Promise.resolve({
      sets: READY_MADE_SETS.map(({ rules, ...set }) => ({
        ...set,
        rules: rules.map((rule) => ({ ...rule, state: 'off' as const })),
      })),
    }),

  addReadyMadeRules: async ({ params, body, caller }, deps) => {
    const { id, name } = await findDomain(deps.store, params.domain)
    const set = READY_MADE_SETS.find((each) => each.id === body.set)
    if (!set) throw new AppError('INK_NOT_FOUND', 'no such set')
    const entry = { actor: caller.email, action: 'decision_rules.add_set', target: name, detail: { ...body } }
    const author = { actor: caller.email, nowMs: deps.now() }
    await recordChange(deps, entry, async (transaction) => {
      for (const rule of set.rules)
        if (!(await decisionRuleStore(transaction).add(id, { ...rule, state: body.state }, author)))
          throw tooMany(`the domain may have ${DECISION_RULES_MAX} rules, too few for this set; remove some`)
      return true
    })
    return listRules(deps, id)
  },
}

/** @throws AppError with the place of the problem */
export function checkCondition(condition: string): void {
  const compiled = compileCondition(condition)
  if (compiled.valid) return
  const { message, line, column } = compiled.problem
  throw new AppError('INK_INVALID_FIELD', `condition: line ${line}, column ${column}: ${message}`)
}

/** Of a domain that is switched off. */
const NO_LISTS = createListIndex()

/** A rule that was never saved. */
const asOn = (text: DecisionRuleText): DecisionRules['rules'][number] => ({
  ...text,
  id: 0,
  version: 0,
  state: 'on',
})

const noRule = () => new AppError('INK_NOT_FOUND', 'no such rule')
const tooMany = (text: string) => new AppError('INK_TOO_MANY_ENTRIES', text)

/** Without the condition: it may name people, and nothing is erased from the audit log. */
const withDetail = (entry: AuditEntry) => (row: DecisionRuleRow) => ({
  ...entry,
  detail: { rule: row.rule_id, name: row.name, version: row.version },
})

async function listRules(
  { store, now }: Pick<AccountDeps, 'store' | 'now'>,
  domainId: number,
): Promise<z.infer<typeof DecisionRuleList>> {
  const rows = await decisionRuleStore(store.reads).list(domainId)
  const hits = await ruleHitStore(store.reads).list(domainId, now() - HIT_DAYS * DAY_MS)
  const hitsOf = Map.groupBy(hits, ({ rule_id }) => rule_id)
  return {
    rules: rows.map((row) => presentSaved(row, hitsOf.get(row.rule_id) ?? [])),
    thresholds: await decisionRuleStore(store.reads).thresholds(domainId),
  }
}

function presentVersion(row: DecisionRuleRow): DecisionRuleVersion {
  return {
    ...readDecisionRule(row),
    saved_at: presentTime(row.created_at),
    actor: row.actor,
    latest: row.latest === 1,
  }
}

const presentSaved = (row: DecisionRuleRow, hits: readonly RuleHitRow[]): SavedDecisionRule => ({
  ...readDecisionRule(row),
  saved_at: presentTime(row.created_at),
  actor: row.actor,
  hits: hits.map(({ day, state, met, failed }) => ({ day: presentTime(day), state, met, failed })),
})
