import { z } from 'zod'
import { BAND_NAMES } from '../bands.ts'
import {
  DECISION_RULE_PARTS,
  DecisionAction,
  DecisionPurpose,
  DecisionRuleText,
  DecisionThresholds,
} from '../decision.ts'
import { Uuid } from '../fields.ts'
import { LABEL_REACHES } from '../lists.ts'
import { REQUEST_ID } from '../openapi/example-visit.ts'
import { DomainPath, NO_DOMAIN, Timestamp } from './fields.ts'
import type { AccountOperation, Examples } from './operation.ts'

const DAYS_MAX = 90
const VISITS_MAX = 200_000
const RULES_MAX = 50

const RULE_ID = z.int().positive().optional().describe('The rule of the domain that it replaces')

const PARTS = {
  purpose: DecisionPurpose.describe('What the visits are decided for; of decisions those for it alone'),
  keep: z.boolean().describe('Whether the other rules of the domain decide as well'),
  shadow: z.boolean().describe('Whether rules in shadow count as on'),
  thresholds: DecisionThresholds.optional().describe('Other thresholds to try'),
  source: z
    .enum(['visits', 'decisions'])
    .describe(
      '`visits` asks about stored identifications; `decisions` asks what your backend asked about them again, with its accounts and fields, and compares with what was answered',
    ),
  days: z.int().min(1).max(DAYS_MAX).describe('Days back from now'),
  visits: z.int().min(1).max(VISITS_MAX).describe('Number of visits, the newest of these days'),
  label_reach: z
    .array(z.enum(LABEL_REACHES))
    .min(1)
    .describe('In which ways a label may reach an identification'),
  caught_from: z.enum(['review', 'challenge', 'deny']).describe('The weakest action that counts as a catch'),
}

export const DecisionBackTestStart = z
  .strictObject({
    ...PARTS,
    rules: z
      .array(DecisionRuleText.extend({ id: RULE_ID }))
      .max(RULES_MAX)
      .default([])
      .describe('Rules to try; each counts as on'),
    keep: PARTS.keep.default(true),
    shadow: PARTS.shadow.default(true),
    source: PARTS.source.default('visits'),
    days: PARTS.days.default(7),
    visits: PARTS.visits.default(10_000),
    label_reach: PARTS.label_reach.default(['direct']),
    caught_from: PARTS.caught_from.default('review'),
  })
  .describe('Rules to test and what to test them on')
export type DecisionBackTestStart = z.infer<typeof DecisionBackTestStart>

const Share = z.object({
  value: z.number().describe('0 to 1'),
  low: z.number().describe('Lower end of the 95 % interval (Wilson)'),
  high: z.number().describe('Upper end'),
})

const Quality = z
  .object({
    caught_fraud: z.int().describe('Caught, and labelled as fraud'),
    caught_legitimate: z.int().describe('Caught, and labelled as legitimate'),
    precision: Share.nullable().describe('Fraud among what is caught and labelled; null for nothing'),
    recall: Share.nullable().describe('What is caught of the fraud; null without any'),
  })
  .describe('How well the decisions agree with the labels')

const Counts = z.object({
  visits: z.int().describe('Visits'),
  changed: z.int().describe('Those that would be decided otherwise'),
})

const Sample = z.object({
  request_id: Uuid.describe('The identification'),
  at: Timestamp.describe('Time of the visit'),
  score: z.int().describe('Its score'),
  before: DecisionAction.describe('As it is decided now, or was'),
  after: DecisionAction.describe('With the rules of the test'),
  reasons: z.array(z.string()).describe('Why'),
})

export const DecisionBackTestReport = z
  .object({
    ...Counts.shape,
    matrix: z
      .record(DecisionAction, z.record(DecisionAction, z.int()))
      .describe('Visits by the action before, then by the action after'),
    bands: z.record(z.enum(BAND_NAMES), Counts).describe('By the band of the score'),
    countries: z
      .array(Counts.extend({ country: z.string().nullable().describe('In English; null where unknown') }))
      .describe('The countries with the most changes'),
    accounts: z
      .object({
        ...Counts.shape,
        most: z
          .array(Counts.extend({ account: z.string().describe('Account identifier') }))
          .describe('Those with the most changes; empty until the test is done'),
      })
      .describe('Accounts, and those with a visit that would be decided otherwise'),
    rules: z
      .array(
        z.object({
          rule: z.int().describe('Its number; 0 for a new one'),
          name: z.string().describe('Its name'),
          met: z.int().describe('Visits in which it was met'),
          failed: z.int().describe('Visits in which it could not be evaluated'),
          message: z.string().nullable().describe('Why it could not, the first time'),
        }),
      )
      .describe('The rules of the test'),
    labels: z
      .object({
        fraud: z.int().describe('Visits with a label of fraud or chargeback'),
        legitimate: z.int().describe('Visits with a label of legitimate'),
        before: Quality,
        after: Quality,
      })
      .describe('Compared with the labels'),
    samples: z.array(Sample).describe('Examples of changes, a few for each pair of actions'),
  })
  .describe('Result of a back-test of rules')
export type DecisionBackTestReport = z.infer<typeof DecisionBackTestReport>

export const DecisionBackTest = z
  .object({
    state: z.enum(['running', 'done', 'cancelled', 'failed']).describe('State of the test'),
    error: z.string().nullable().describe('Why it failed; null otherwise'),
    question: z
      .object({
        ...PARTS,
        rules: z.array(z.object({ ...DECISION_RULE_PARTS, id: RULE_ID })).describe('Rules that are tried'),
      })
      .describe('What is tested, and on what'),
    started_at: Timestamp.describe('When it was started'),
    ended_at: Timestamp.nullable().describe('When it ended; null while it runs'),
    done: z.int().describe('Visits so far'),
    total: z.int().describe('Visits of the test'),
    report: DecisionBackTestReport.nullable().describe('The result, so far while it runs'),
  })
  .describe('A test of rules on stored visits')
export type DecisionBackTest = z.infer<typeof DecisionBackTest>

export const LatestDecisionBackTest = z
  .object({
    back_test: DecisionBackTest.nullable().describe(
      'The latest back-test; null if none ran in a week or since the latest erasure',
    ),
  })
  .describe('The latest back-test of a domain’s rules')

export const DECISION_BACK_TEST_OPERATIONS = {
  startDecisionBackTest: {
    method: 'POST',
    path: '/account/domains/{domain}/decision-back-test',
    access: 'rules:write',
    summary: 'Start a back-test of rules on stored visits',
    description:
      'Runs in the background and changes nothing. A domain can run one at a time. Each visit is decided by the same code as a question of your backend.',
    params: DomainPath,
    body: DecisionBackTestStart,
    answer: DecisionBackTest,
    errors: { ...NO_DOMAIN, 409: 'a back-test of this domain is running' },
  },
  getDecisionBackTest: {
    method: 'GET',
    path: '/account/domains/{domain}/decision-back-test',
    access: 'visits:read',
    summary: 'Read the latest back-test of rules',
    params: DomainPath,
    answer: LatestDecisionBackTest,
    errors: NO_DOMAIN,
  },
  cancelDecisionBackTest: {
    method: 'DELETE',
    path: '/account/domains/{domain}/decision-back-test',
    access: 'rules:write',
    summary: 'Stop the running back-test of rules',
    params: DomainPath,
    answer: 'nothing',
    errors: NO_DOMAIN,
  },
} as const satisfies Record<string, AccountOperation>

const START = {
  purpose: 'signup',
  rules: [
    {
      name: 'Many accounts on one device in a day',
      condition: 'velocity.device.accounts.h24 >= 4',
      effect: { action: 'challenge' },
    },
  ],
} satisfies z.input<typeof DecisionBackTestStart>

const NOTHING = { allow: 0, review: 0, challenge: 0, deny: 0 }

const TEST: DecisionBackTest = {
  state: 'done',
  error: null,
  question: DecisionBackTestStart.parse(START),
  started_at: '2026-10-08T14:25:00.000Z',
  ended_at: '2026-10-08T14:25:02.000Z',
  done: 10_000,
  total: 10_000,
  report: {
    visits: 10_000,
    changed: 41,
    matrix: {
      allow: { ...NOTHING, allow: 9_959, challenge: 41 },
      review: NOTHING,
      challenge: NOTHING,
      deny: NOTHING,
    },
    bands: {
      trusted: { visits: 9_500, changed: 12 },
      suspicious: { visits: 400, changed: 20 },
      dangerous: { visits: 100, changed: 9 },
      rate_limited: { visits: 0, changed: 0 },
    },
    countries: [{ country: 'Germany', visits: 6_100, changed: 30 }],
    accounts: { visits: 8_000, changed: 38, most: [{ account: 'mira', visits: 4, changed: 2 }] },
    rules: [{ rule: 0, name: 'Many accounts on one device in a day', met: 41, failed: 0, message: null }],
    labels: {
      fraud: 20,
      legitimate: 80,
      before: {
        caught_fraud: 0,
        caught_legitimate: 0,
        precision: null,
        recall: { value: 0, low: 0, high: 0.161 },
      },
      after: {
        caught_fraud: 15,
        caught_legitimate: 1,
        precision: { value: 0.938, low: 0.717, high: 0.989 },
        recall: { value: 0.75, low: 0.531, high: 0.888 },
      },
    },
    samples: [
      {
        request_id: REQUEST_ID,
        at: '2026-10-08T14:20:00.000Z',
        score: 35,
        before: 'allow',
        after: 'challenge',
        reasons: ['Rule “Many accounts on one device in a day” was met'],
      },
    ],
  },
}

export const DECISION_BACK_TEST_EXAMPLES: Examples<typeof DECISION_BACK_TEST_OPERATIONS> = {
  startDecisionBackTest: {
    body: START,
    answer: { ...TEST, state: 'running', ended_at: null, done: 0, report: null },
  },
  getDecisionBackTest: { answer: { back_test: TEST } },
  cancelDecisionBackTest: {},
}
