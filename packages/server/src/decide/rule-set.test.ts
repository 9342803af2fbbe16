import { expect, test } from 'vitest'
import { type DecisionRule, NO_THRESHOLDS } from '../store/decision-rules/decision-rules.ts'
import { ruleSetOf } from './rule-set.ts'

test('rules that are read again are not compiled again', () => {
  const rule: DecisionRule = {
    ...{ id: 1, version: 1, name: 'Tor', condition: 'flags.tor && score > 11' },
    ...{ effect: { action: 'deny' }, priority: 0, purposes: null, state: 'on' },
  }
  const compiled = (condition: string) =>
    ruleSetOf({ rules: [{ ...rule, condition }], thresholds: NO_THRESHOLDS }).rules[0]?.meets
  const first = compiled(rule.condition)
  expect(first).toBeDefined()
  expect(compiled(rule.condition)).toBe(first)
  expect(compiled('flags.tor && score > 12')).not.toBe(first)
})
