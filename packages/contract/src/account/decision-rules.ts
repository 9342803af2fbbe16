import { z } from 'zod'
import {
  CONDITION_LENGTH_MAX,
  DECISION_RULE_PARTS,
  DecisionAction,
  DecisionEffect,
  DecisionFields,
  DecisionPurpose,
  DecisionRuleChanges,
  DecisionRuleState,
  DecisionRuleText,
  DecisionThresholds,
} from '../decision.ts'
import { Uuid } from '../fields.ts'
import { REQUEST_ID } from '../openapi/example-visit.ts'
import { DomainPath, IdentifierValue, NO_DOMAIN, Timestamp } from './fields.ts'
import type { AccountOperation, Examples } from './operation.ts'

/** Days whose hits are shown. */
export const HIT_DAYS = 30

const RulePath = DomainPath.extend({
  rule_id: z.coerce.number().int().positive().describe('Number of the rule'),
})

const Saved = {
  ...DECISION_RULE_PARTS,
  id: z.int().describe('Number of the rule in its domain'),
  version: z.int().describe('Counts from 1'),
  saved_at: Timestamp.describe('When this version was saved'),
  actor: z.string().describe('Who saved it'),
}

export const DecisionRuleVersion = z
  .object({ ...Saved, latest: z.boolean().describe('Whether this version counts') })
  .describe('A saved version of a rule; it never changes')
export type DecisionRuleVersion = z.infer<typeof DecisionRuleVersion>

export const SavedDecisionRule = z
  .object({
    ...Saved,
    hits: z
      .array(
        z.object({
          day: Timestamp.describe('Start of the day'),
          state: DecisionRuleState.describe('State of the rule then'),
          met: z.int().describe('Questions in which it was met'),
          failed: z.int().describe('Questions in which it could not be evaluated'),
        }),
      )
      .describe(`The last ${HIT_DAYS} days, those without any left out`),
  })
  .describe('A rule of a domain')
export type SavedDecisionRule = z.infer<typeof SavedDecisionRule>

export const DecisionRuleList = z
  .object({
    rules: z.array(SavedDecisionRule).describe('All rules, by number'),
    thresholds: DecisionThresholds,
  })
  .describe('What a domain decides by')
export type DecisionRuleList = z.infer<typeof DecisionRuleList>

export const DecisionRuleVersions = z
  .object({ versions: z.array(DecisionRuleVersion).describe('Newest first') })
  .describe('Every version of a rule')

export const ConditionToCheck = z
  .strictObject({
    condition: z
      .string()
      .max(10 * CONDITION_LENGTH_MAX)
      .describe('A CEL expression'),
  })
  .describe('A condition to check')

export const CheckedCondition = z
  .object({
    valid: z.boolean().describe('Whether a rule can have it'),
    problem: z
      .object({
        message: z.string().describe('What is wrong'),
        line: z.int().describe('Counts from 1'),
        column: z.int().describe('Counts from 1'),
      })
      .nullable()
      .describe('The first problem and its place; null for a valid condition'),
  })
  .describe('The answer to a check')

export const DecisionTrial = z
  .strictObject({
    request_id: Uuid.describe('A stored identification'),
    purpose: DecisionPurpose.describe('What would be asked for'),
    account: IdentifierValue.optional().describe('The account that would be named'),
    fields: DecisionFields.default({}),
    client_address: z.string().max(64).optional().describe('The address that the backend would name'),
    rules: z
      .array(DecisionRuleText)
      .max(50)
      .optional()
      .describe('Rules to decide by instead of those of the domain; each counts as on'),
  })
  .describe('A question that nobody asked')

const MetRule = z.object({
  rule: z.int().describe('Its number; 0 for one that is not saved'),
  name: z.string().describe('Its name'),
  version: z.int().describe('Its version; 0 for one that is not saved'),
  state: DecisionRuleState.exclude(['off']).describe('Its state'),
  effect: DecisionEffect,
})

export const TrialDecision = z
  .object({
    action: DecisionAction.describe('What would be answered'),
    points: z.int().describe('The decision score'),
    reasons: z.array(z.string()).describe('Why, in plain words'),
    met: z.array(MetRule).describe('Rules that were met'),
    failed: z
      .array(
        z.object({
          rule: z.int().describe('Its number'),
          name: z.string().describe('Its name'),
          message: z.string().describe('Why it could not be evaluated'),
        }),
      )
      .describe('Rules that could not be evaluated, which counts as not met'),
    facts: z.record(z.string(), z.unknown()).describe('What the rules saw'),
  })
  .describe('What would be answered')
export type TrialDecision = z.infer<typeof TrialDecision>

export const DecisionFactList = z
  .object({
    facts: z
      .array(
        z.object({
          name: z.string().describe('As conditions write it'),
          type: z.string().describe('Its CEL type'),
          nullable: z.boolean().describe('Whether it is null where it is unknown'),
        }),
      )
      .describe('Every fact; those of your own are `fields.NAME`'),
  })
  .describe('The facts that conditions can use')

const RuleSetId = z.string().regex(/^[a-z]{1,40}$/)

export const ReadyMadeRules = z
  .object({
    sets: z
      .array(
        z.object({
          id: RuleSetId.describe('Name in requests'),
          title: z.string().describe('Name for people'),
          about: z.string().describe('What it is for'),
          rules: z.array(z.object(DECISION_RULE_PARTS)).describe('Its rules'),
        }),
      )
      .describe('All sets'),
  })
  .describe('Rules to start from')
export type ReadyMadeRules = z.infer<typeof ReadyMadeRules>

export const ReadyMadeChoice = z
  .strictObject({
    set: RuleSetId.describe('Which set'),
    state: DecisionRuleState.default('shadow').describe('The state of its rules'),
  })
  .describe('A set to add')

const NO_RULE = { 404: 'no such domain, or no such rule' } as const

/** How many rules a domain may have, without removed ones. */
export const DECISION_RULES_MAX = 200

export const DECISION_RULE_OPERATIONS = {
  listDecisionRules: {
    method: 'GET',
    path: '/account/domains/{domain}/decision-rules',
    access: 'visits:read',
    summary: 'List the rules that decide, with their hits',
    params: DomainPath,
    answer: DecisionRuleList,
    errors: NO_DOMAIN,
  },
  addDecisionRule: {
    method: 'POST',
    path: '/account/domains/{domain}/decision-rules',
    access: 'rules:write',
    summary: 'Add a rule',
    description:
      'The condition is checked with its types; a problem is answered with its line and column. Every server of the installation decides by it within a second.',
    params: DomainPath,
    body: DecisionRuleText,
    answer: DecisionRuleVersion,
    status: 201,
    errors: {
      ...NO_DOMAIN,
      409: `the domain has ${DECISION_RULES_MAX} rules, the most it may have; remove one`,
    },
  },
  changeDecisionRule: {
    method: 'PATCH',
    path: '/account/domains/{domain}/decision-rules/{rule_id}',
    access: 'rules:write',
    summary: 'Save a new version of a rule, such as one in another state',
    params: RulePath,
    body: DecisionRuleChanges,
    answer: DecisionRuleVersion,
    errors: NO_RULE,
  },
  removeDecisionRule: {
    method: 'DELETE',
    path: '/account/domains/{domain}/decision-rules/{rule_id}',
    access: 'rules:write',
    summary: 'Remove a rule',
    description: 'Its versions can still be listed, because decisions name them.',
    params: RulePath,
    answer: 'nothing',
    errors: NO_RULE,
  },
  listDecisionRuleVersions: {
    method: 'GET',
    path: '/account/domains/{domain}/decision-rules/{rule_id}/versions',
    access: 'visits:read',
    summary: 'List the versions of a rule',
    params: RulePath,
    answer: DecisionRuleVersions,
    errors: NO_RULE,
  },
  setDecisionThresholds: {
    method: 'PATCH',
    path: '/account/domains/{domain}/decision-thresholds',
    access: 'rules:write',
    summary: 'Say what the decision score leads to',
    params: DomainPath,
    body: DecisionThresholds,
    answer: DecisionThresholds,
    errors: NO_DOMAIN,
  },
  checkDecisionCondition: {
    method: 'POST',
    path: '/account/decision-rules/check',
    access: 'rules:write',
    summary: 'Check a condition without saving it',
    body: ConditionToCheck,
    answer: CheckedCondition,
  },
  tryDecisionRules: {
    method: 'POST',
    path: '/account/domains/{domain}/decision-rules/try',
    access: 'rules:write',
    summary: 'Try rules on one identification',
    description: 'Nothing is stored or counted.',
    params: DomainPath,
    body: DecisionTrial,
    answer: TrialDecision,
    errors: { 404: 'no such domain, or no such identification' },
  },
  listDecisionFacts: {
    method: 'GET',
    path: '/account/decision-rules/facts',
    access: 'visits:read',
    summary: 'List the facts that conditions can use',
    answer: DecisionFactList,
  },
  listReadyMadeRules: {
    method: 'GET',
    path: '/account/decision-rules/ready-made',
    access: 'visits:read',
    summary: 'List the ready-made sets of rules',
    answer: ReadyMadeRules,
  },
  addReadyMadeRules: {
    method: 'POST',
    path: '/account/domains/{domain}/decision-rules/ready-made',
    access: 'rules:write',
    summary: 'Add the rules of a ready-made set',
    params: DomainPath,
    body: ReadyMadeChoice,
    answer: DecisionRuleList,
    status: 201,
    errors: {
      404: 'no such domain, or no such set',
      409: `the domain may have ${DECISION_RULES_MAX} rules, too few for this set; remove some`,
    },
  },
} as const satisfies Record<string, AccountOperation>

const TEXT = {
  name: 'Many accounts on one device in a day',
  condition: 'velocity.device.accounts.h24 >= 4',
  effect: { action: 'challenge' },
  priority: 50,
  purposes: ['signup'],
} satisfies z.input<typeof DecisionRuleText>

const VERSION: DecisionRuleVersion = {
  ...TEXT,
  state: 'shadow',
  id: 1,
  version: 2,
  saved_at: '2026-10-08T14:25:00.000Z',
  actor: 'mira@brewline.example',
  latest: true,
}

const { latest: _latest, ...SAVED } = VERSION

const LIST: DecisionRuleList = {
  rules: [{ ...SAVED, hits: [{ day: '2026-10-08T00:00:00.000Z', state: 'shadow', met: 12, failed: 0 }] }],
  thresholds: { review: 30, challenge: 60, deny: null },
}

export const DECISION_RULE_EXAMPLES: Examples<typeof DECISION_RULE_OPERATIONS> = {
  listDecisionRules: { answer: LIST },
  addDecisionRule: { body: { ...TEXT, state: 'shadow' }, answer: { ...VERSION, version: 1 } },
  changeDecisionRule: { body: { state: 'on' }, answer: { ...VERSION, state: 'on', version: 3 } },
  removeDecisionRule: {},
  listDecisionRuleVersions: {
    answer: { versions: [VERSION, { ...VERSION, version: 1, state: 'off', latest: false }] },
  },
  setDecisionThresholds: { body: LIST.thresholds, answer: LIST.thresholds },
  checkDecisionCondition: {
    body: { condition: 'velocity.device.acounts.h24 >= 4' },
    answer: { valid: false, problem: { message: 'No such key: acounts', line: 1, column: 17 } },
  },
  tryDecisionRules: {
    body: { request_id: REQUEST_ID, purpose: 'signup', account: 'mira', fields: { plan: 'free' } },
    answer: {
      action: 'challenge',
      points: 0,
      reasons: ['Rule “Many accounts on one device in a day” was met'],
      met: [{ rule: 1, name: TEXT.name, version: 2, state: 'on', effect: { action: 'challenge' } }],
      failed: [],
      facts: { purpose: 'signup', score: 35, band: 'suspicious' },
    },
  },
  listDecisionFacts: {
    answer: {
      facts: [
        { name: 'score', type: 'int', nullable: false },
        { name: 'country', type: 'string', nullable: true },
      ],
    },
  },
  listReadyMadeRules: {
    answer: {
      sets: [
        {
          id: 'signup',
          title: 'Sign-up',
          about: 'Stops one device that makes account after account.',
          rules: [{ ...TEXT, state: 'off' }],
        },
      ],
    },
  },
  addReadyMadeRules: { body: { set: 'signup' }, answer: LIST },
}
