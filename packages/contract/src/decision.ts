import { z } from 'zod'

/** What a customer does with a visit, weakest first. */
export const DECISION_ACTIONS = ['allow', 'review', 'challenge', 'deny'] as const
export const DecisionAction = z.enum(DECISION_ACTIONS)
export type DecisionAction = z.infer<typeof DecisionAction>

/** What a customer asks a decision for. */
export const DECISION_PURPOSES = ['signup', 'login', 'payment', 'promotion', 'scraping', 'custom'] as const
export const DecisionPurpose = z.enum(DECISION_PURPOSES)
export type DecisionPurpose = z.infer<typeof DecisionPurpose>

const FIELDS_MAX = 50
const FIELD_LIST_MAX = 100
const FIELD_LENGTH_MAX = 500

const FieldText = z.string().max(FIELD_LENGTH_MAX)

/** Flat and small, so that a rule over them takes no time. */
export const DecisionFields = z
  .record(
    z.string().regex(/^[a-z][a-z0-9_]{0,63}$/i),
    z.union([
      FieldText,
      z.number(),
      z.boolean(),
      z.null(),
      z.array(FieldText).max(FIELD_LIST_MAX),
      z.array(z.number()).max(FIELD_LIST_MAX),
    ]),
  )
  .refine((fields) => Object.keys(fields).length <= FIELDS_MAX, `more than ${FIELDS_MAX} fields`)
  .describe('Facts of your own for the rules')
export type DecisionFields = z.infer<typeof DecisionFields>

export const CONDITION_LENGTH_MAX = 2_000
/** The greatest decision score. */
export const DECISION_POINTS_MAX = 100

const Points = z.int().min(1).max(DECISION_POINTS_MAX)

const ACTING = { action: DecisionAction.describe('What to do') }
const ADDING = {
  points: Points.describe('Added to the decision score'),
  cap: Points.describe('The decision score that it cannot lead beyond'),
}
const EFFECT = 'What a rule does when its condition is met'

export const DecisionEffect = z.union([z.strictObject(ACTING), z.strictObject(ADDING)]).describe(EFFECT)
/** The same in an answer, where later releases may add fields. */
export const AnsweredEffect = z.union([z.object(ACTING), z.object(ADDING)]).describe(EFFECT)
export type DecisionEffect = z.infer<typeof DecisionEffect>

export const DECISION_RULE_STATES = ['off', 'shadow', 'on'] as const
export const DecisionRuleState = z.enum(DECISION_RULE_STATES)
export type DecisionRuleState = z.infer<typeof DecisionRuleState>

const PRIORITY_MAX = 1_000

/** What a rule is made of, all of it. */
export const DECISION_RULE_PARTS = {
  name: z.string().trim().min(1).max(80).describe('Name for people; it is the reason in answers'),
  condition: z.string().trim().min(1).max(CONDITION_LENGTH_MAX).describe('A CEL expression over the facts'),
  effect: DecisionEffect,
  priority: z
    .int()
    .min(-PRIORITY_MAX)
    .max(PRIORITY_MAX)
    .describe('Rules with a higher one come first; 0 if nothing else is said'),
  purposes: z
    .array(DecisionPurpose)
    .min(1)
    .refine((purposes) => new Set(purposes).size === purposes.length, 'named twice')
    .nullable()
    .describe('What it is for; null for everything'),
  state: DecisionRuleState.describe('`shadow` is evaluated and counted, and decides nothing'),
}

/** A rule as its author writes it. */
export const DecisionRuleText = z
  .strictObject({
    ...DECISION_RULE_PARTS,
    priority: DECISION_RULE_PARTS.priority.default(0),
    purposes: DECISION_RULE_PARTS.purposes.default(null),
    state: DECISION_RULE_PARTS.state.default('off'),
  })
  .describe('A rule that decides')
export type DecisionRuleText = z.infer<typeof DecisionRuleText>

export const DecisionRuleChanges = z
  .strictObject(DECISION_RULE_PARTS)
  .partial()
  .refine((changes) => Object.keys(changes).length > 0, 'nothing to change')
  .describe('What to change of a rule; all else stays')
export type DecisionRuleChanges = z.infer<typeof DecisionRuleChanges>

/** The least decision score for an action; null where points never lead to it. */
export const DecisionThresholds = z
  .strictObject({
    review: Points.nullable().describe('From here on `review`'),
    challenge: Points.nullable().describe('From here on `challenge`'),
    deny: Points.nullable().describe('From here on `deny`'),
  })
  .describe('What the decision score leads to; null for nothing')
export type DecisionThresholds = z.infer<typeof DecisionThresholds>
