import {
  bandOf,
  DECISION_ACTIONS,
  type DecisionAction,
  type DecisionEffect,
  type DecisionThresholds,
} from '@inkling/contract'
import { describe, expect, test } from 'vitest'
import { decisionFacts } from '../../test/decision-facts.ts'
import { type DecisionRule, NO_THRESHOLDS } from '../store/decision-rules/decision-rules.ts'
import type { ListMatch } from '../visit/list-match.ts'
import { compileCondition } from './compile-condition.ts'
import { decide } from './decide.ts'
import { READY_MADE_SETS } from './ready-made-rules.ts'
import { ruleSetOf } from './rule-set.ts'

let nextId = 1

const rule = (effect: DecisionEffect, given: Partial<DecisionRule> = {}): DecisionRule => {
  const id = nextId++
  return {
    ...{ id, version: 1, name: `rule ${id}`, condition: 'true', effect, priority: 0, purposes: null },
    state: 'on',
    ...given,
  }
}

const on = (list: ListMatch['list']): ListMatch => ({
  list,
  kind: 'account',
  value: 'mira',
  reason: 'told so',
})

function decided(
  rules: readonly DecisionRule[],
  {
    thresholds = NO_THRESHOLDS,
    matches = [],
  }: { thresholds?: DecisionThresholds; matches?: ListMatch[] } = {},
) {
  return decide(ruleSetOf({ rules, thresholds }), decisionFacts({ matches }))
}

const THRESHOLDS = { review: 20, challenge: 40, deny: 60 }
const points = (value: number, cap = 100): DecisionEffect => ({ points: value, cap })

describe('a decision', () => {
  test('allows where nothing speaks against it, and says so', () => {
    expect(decided([])).toEqual({
      action: 'allow',
      points: 0,
      reasons: ['No rule decides'],
      met: [],
      failed: [],
    })
  })

  test('is that of the band where no rule names an action, and points make it stronger alone', () => {
    const byBand = (score: number, rules: readonly DecisionRule[] = [], thresholds = NO_THRESHOLDS) =>
      decide(ruleSetOf({ rules, thresholds }), decisionFacts({ score, band: bandOf(score) }))
    expect(byBand(75)).toMatchObject({
      action: 'deny',
      reasons: ['No rule decides, and the score is dangerous'],
    })
    expect([0, 29, 30, 60, 999].map((score) => byBand(score).action)).toEqual([
      ...['allow', 'allow', 'challenge', 'deny', 'challenge'],
    ])
    for (const [score, action] of [
      [0, 'review'],
      [30, 'challenge'],
      [75, 'deny'],
    ] as const)
      expect(byBand(score, [rule(points(25))], THRESHOLDS)).toMatchObject({ action, points: 25 })
    expect(byBand(30, [rule(points(70))], THRESHOLDS).action).toBe('deny')
    expect(byBand(75, [rule(points(10), { name: 'a tenth' })], THRESHOLDS)).toMatchObject({
      action: 'deny',
      reasons: ['No rule decides, and the score is dangerous', 'Rule “a tenth” was met: 10 points'],
    })
    expect(byBand(75, [rule({ action: 'allow' })]).action).toBe('allow')
    expect(byBand(75, [rule({ action: 'allow' }, { state: 'shadow' })]).action).toBe('deny')
  })

  test('is a challenge for the marker of a rate limit, unless a list has its address, whatever rules say', () => {
    const rules = [rule({ action: 'allow' }), rule(points(99)), rule({ action: 'deny' }, { priority: 9 })]
    const marked = (matches: ListMatch[] = []) =>
      decide(
        ruleSetOf({ rules, thresholds: THRESHOLDS }),
        decisionFacts({ score: 999, band: 'rate_limited', matches }),
      )
    expect(marked()).toEqual({
      action: 'challenge',
      points: 0,
      reasons: ['The address sent too much'],
      met: [],
      failed: [],
    })
    expect([marked([on('deny')]).action, marked([on('allow')]).action]).toEqual(['deny', 'allow'])
    expect(marked([on('watch')]).action).toBe('challenge')
  })

  test('is that of the deny list before the allow list, and of both before rules', () => {
    const rules = [rule({ action: 'challenge' })]
    expect(decided(rules, { matches: [on('allow'), on('deny')] })).toMatchObject({
      action: 'deny',
      reasons: ['The deny list has the account mira: told so'],
    })
    const allowed = decided(rules, { matches: [on('allow')] })
    expect(allowed.action).toBe('allow')
    // What lists decide is counted as a hit all the same.
    expect(allowed.met).toHaveLength(1)
  })

  test('is a review at least for what the watch list has', () => {
    expect(decided([], { matches: [on('watch')] }).action).toBe('review')
    expect(decided([rule({ action: 'allow' })], { matches: [on('watch')] }).action).toBe('review')
    expect(decided([rule({ action: 'deny' })], { matches: [on('watch')] }).action).toBe('deny')
  })

  test('is that of the rule with the highest priority, and of the strongest among equals', () => {
    const weak = rule({ action: 'review' }, { priority: 5 })
    const strong = rule({ action: 'deny' })
    expect(decided([strong, weak]).action).toBe('review')
    expect(decided([rule({ action: 'review' }), rule({ action: 'challenge' })])).toMatchObject({
      action: 'challenge',
    })
    expect(decided([weak, rule({ action: 'allow' }, { priority: 9 })]).action).toBe('allow')
  })

  test('counts rules in shadow and is never theirs; those that are off are not looked at', () => {
    const shadow = rule({ action: 'deny' }, { state: 'shadow' })
    const { action, met } = decided(
      [shadow, rule(points(90), { state: 'shadow' }), rule({ action: 'deny' }, { state: 'off' })],
      {
        thresholds: THRESHOLDS,
      },
    )
    expect(action).toBe('allow')
    expect(met.map(({ state }) => state)).toEqual(['shadow', 'shadow'])
  })

  test('adds points up to the cap of each rule, and thresholds turn them into an action', () => {
    const both = decided([rule(points(30)), rule(points(15))], { thresholds: THRESHOLDS })
    expect([both.action, both.points]).toEqual(['challenge', 45])
    expect(both.reasons[0]).toBe('The decision score of 45 leads to challenge, which starts at 40')
    const capped = decided([rule(points(30)), rule(points(80, 35))], { thresholds: THRESHOLDS })
    expect([capped.action, capped.points]).toEqual(['review', 35])
    expect(decided([rule(points(50)), rule(points(10, 20), { priority: -1 })]).points).toBe(50)
    expect(decided([rule(points(99))]).action).toBe('allow')
  })

  test('follows points beyond a weaker rule, but never beyond one that allows', () => {
    const heavy = rule(points(70))
    expect(decided([heavy, rule({ action: 'review' })], { thresholds: THRESHOLDS }).action).toBe('deny')
    expect(decided([heavy, rule({ action: 'allow' })], { thresholds: THRESHOLDS }).action).toBe('allow')
  })

  test('looks only at rules for its purpose', () => {
    expect(decided([rule({ action: 'deny' }, { purposes: ['login'] })]).action).toBe('allow')
    expect(decided([rule({ action: 'deny' }, { purposes: ['login', 'signup'] })]).action).toBe('deny')
  })

  test('takes a rule that fails as not met, tells why, and follows the others', () => {
    const failing = rule({ action: 'deny' }, { name: 'broken', condition: 'fields.plan == "x"', priority: 9 })
    const stale = rule({ action: 'deny' }, { condition: 'signals.gone' })
    const { action, failed } = decided([failing, stale, rule({ action: 'review' })])
    expect(action).toBe('review')
    expect(failed).toEqual([
      expect.objectContaining({ name: 'broken', message: 'No such key: plan' }),
      expect.objectContaining({ message: 'No such key: gone (line 1, column 9)' }),
    ])
  })
})

describe.each(READY_MADE_SETS)('the ready-made set $id', ({ rules }) => {
  test('has valid conditions, and decides nothing about an ordinary visit', () => {
    for (const { name, condition } of rules)
      expect(compileCondition(condition), name).toMatchObject({ valid: true })
    const set = ruleSetOf({
      rules: rules.map((text, index) => ({ ...text, id: index + 1, version: 1, state: 'on' })),
      thresholds: THRESHOLDS,
    })
    const purposes = new Set(rules.flatMap((text) => text.purposes ?? []))
    for (const purpose of purposes) {
      const { action, met, failed } = decide(set, decisionFacts({ purpose, counted: 1 }))
      expect({ action, met, failed }).toEqual({ action: 'allow', met: [], failed: [] })
    }
  })

  test('weakens what the band decides by no rule but one that allows', () => {
    const set = ruleSetOf({
      rules: rules.map((text, index) => ({ ...text, id: index + 1, version: 1, state: 'on' })),
      thresholds: THRESHOLDS,
    })
    const strengthOf = (action: DecisionAction) => DECISION_ACTIONS.indexOf(action)
    const metInAll = new Set<string>()
    for (const purpose of new Set(rules.flatMap((text) => text.purposes ?? [])))
      for (const score of [10, 35, 95]) {
        const facts = decisionFacts({ purpose, counted: 400, score, band: bandOf(score) })
        const byBand = decide(ruleSetOf({ rules: [], thresholds: THRESHOLDS }), facts).action
        const { action, met } = decide(set, facts)
        expect(strengthOf(action), `${purpose} ${score} ${action}`).toBeGreaterThanOrEqual(strengthOf(byBand))
        for (const { name } of met) metInAll.add(name)
      }
    expect(metInAll.size).toBeGreaterThan(0)
  })
})

test.each(['signup', 'login', 'promotion'] as const)(
  'a visit that shows no device, so that nothing of it is counted, is challenged by the set %s',
  (purpose) => {
    const { rules = [] } = READY_MADE_SETS.find(({ id }) => id === purpose) ?? {}
    const set = ruleSetOf({
      rules: rules.map((text, index) => ({ ...text, id: index + 1, version: 1, state: 'on' })),
      thresholds: THRESHOLDS,
    })
    expect(decide(set, decisionFacts({ purpose, device_id: null })).action).toBe('challenge')
  },
)

test('the ready-made set against scraping lets no browser pass whose service alone proves who it is', () => {
  const { rules = [] } = READY_MADE_SETS.find(({ id }) => id === 'scraping') ?? {}
  const set = ruleSetOf({
    rules: rules.map((text, index) => ({ ...text, id: index + 1, version: 1, state: 'on' })),
    thresholds: THRESHOLDS,
  })
  const asked = (category: string) => {
    const facts = decisionFacts({ purpose: 'scraping', score: 95, band: 'dangerous' })
    return decide(set, { ...facts, agent: { ...facts.agent, identity: 'verified', category } }).action
  }
  expect([asked('browser_service'), asked('search_engine')]).toEqual(['deny', 'allow'])
})

test('a rule that was never saved is the newest, as it would be once saved', () => {
  const saved = rule({ points: 20, cap: 20 })
  const tried = { points: 10, cap: 100 }
  const decidedBy = (id: number) =>
    decide(
      ruleSetOf({ rules: [rule(tried, { id }), saved], thresholds: THRESHOLDS }),
      decisionFacts({ score: 0 }),
    ).points
  expect(decidedBy(0)).toBe(decidedBy(saved.id + 1))
  expect(decidedBy(0)).not.toBe(decidedBy(saved.id - 1))
})
