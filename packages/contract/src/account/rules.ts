import { z } from 'zod'
import { SCORED_BANDS } from '../bands.ts'
import { Uuid } from '../fields.ts'
import { REQUEST_ID } from '../openapi/example-visit.ts'
import { OwnWeights } from '../own-weights.ts'
import { DomainPath, NO_DOMAIN, Timestamp } from './fields.ts'
import type { AccountOperation, Examples } from './operation.ts'

const NOTE_MAX = 500
const BACK_TEST_DAYS_MAX = 90
const BACK_TEST_VISITS_MAX = 100_000

const Band = z.enum(SCORED_BANDS)

export const RulesVersion = z
  .object({
    version: z.int().describe('Counts from 1'),
    saved_at: Timestamp.describe('When it was saved'),
    actor: z.string().describe('Who saved it'),
    note: z.string().describe('Reason, as its author wrote it'),
    weights: OwnWeights.describe('Weights that differ from the release'),
  })
  .describe('A saved version of the weights; it never changes')
export type RulesVersion = z.infer<typeof RulesVersion>

export const SignalRule = z
  .object({
    name: z.string().describe('Signal name'),
    title: z.string().describe('Name for people'),
    meaning: z.string().describe('Meaning of the signal'),
    evidence: z.string().describe('The facts it rests on'),
    innocent_causes: z.array(z.string()).describe('Ordinary setups that raise it, too'),
    flag: z.string().nullable().describe('The flag it raises'),
    release_weight: z.int().describe('Weight in this release'),
    weight: z.int().describe('Weight now'),
    max: z
      .int()
      .nullable()
      .describe('Greatest weight that can be set; null if the weight follows from another signal'),
  })
  .describe('A signal and its weight')
export type SignalRule = z.infer<typeof SignalRule>

export const DomainRules = z
  .object({
    active: z
      .int()
      .nullable()
      .describe('The version that scores visits; null for the weights of the release'),
    signals: z.array(SignalRule).describe('Every signal'),
    suppressions: z
      .array(
        z.object({
          by: z.string().describe('The signal that replaces others; only the first one that hit does'),
          silences: z.array(z.string()).describe('Signals that then add nothing'),
        }),
      )
      .describe('In the order of evaluation'),
    versions: z.array(RulesVersion).describe('Newest first'),
  })
  .describe('The weights and rules that score the visits of a domain')
export type DomainRules = z.infer<typeof DomainRules>

export const RulesSaving = z
  .strictObject({
    weights: OwnWeights.describe('Weights that differ from the release'),
    note: z.string().max(NOTE_MAX).default('').describe('Reason, for the list of versions'),
  })
  .describe('Weights to score with from now on')

export const RulesChoice = z
  .strictObject({
    version: z
      .int()
      .min(1)
      .nullable()
      .describe('A version that was saved; null for the weights of the release'),
  })
  .describe('Which weights to score with from now on')

export const BackTestStart = z
  .strictObject({
    weights: OwnWeights.describe('Weights that differ from the release'),
    days: z.int().min(1).max(BACK_TEST_DAYS_MAX).default(7).describe('Days back from now'),
    visits: z
      .int()
      .min(1)
      .max(BACK_TEST_VISITS_MAX)
      .default(10_000)
      .describe('Number of visits, the newest of these days'),
  })
  .describe('Weights to test and the visits to test them on')

const Hits = z.object({
  hits: z.int().describe('Visits in which it added points'),
  points: z.int().describe('Points it added in all of them'),
})

export const BackTestReport = z
  .object({
    identifications: z.int().describe('Visits that were scored again'),
    changed: z.int().describe('Visits whose score or flags would change'),
    matrix: z
      .record(Band, z.record(Band, z.int()))
      .describe('Visits by the band before, then by the band after'),
    signals: z
      .array(
        z.object({
          name: z.string().describe('Signal name'),
          before: Hits.describe('As stored'),
          after: Hits.describe('With the other weights'),
        }),
      )
      .describe('Signals whose points would change'),
    samples: z
      .array(
        z.object({
          request_id: Uuid.describe('The identification'),
          at: Timestamp.describe('Time of the visit'),
          score: z
            .object({
              before: z.int().describe('As stored'),
              after: z.int().describe('With the other weights'),
            })
            .describe('Its score'),
        }),
      )
      .describe('Examples of visits that would change bands, a few for each pair'),
  })
  .describe('Result of a back-test')
export type BackTestReport = z.infer<typeof BackTestReport>

export const BackTest = z
  .object({
    state: z.enum(['running', 'done', 'cancelled', 'failed']).describe('State of the test'),
    error: z.string().nullable().describe('Why it failed; null otherwise'),
    weights: OwnWeights.describe('Weights that differ from the release'),
    days: z.int().describe('Days back from now'),
    started_at: Timestamp.describe('When it was started'),
    done: z.int().describe('Visits that were scored again so far'),
    total: z.int().describe('Visits to score again'),
    report: BackTestReport.nullable().describe('The result; null until it is done'),
  })
  .describe('A test of weights on stored visits')
export type BackTest = z.infer<typeof BackTest>

export const LatestBackTest = z
  .object({
    back_test: BackTest.nullable().describe(
      'The latest back-test; null if none ran in a week or since the latest erasure',
    ),
  })
  .describe('The latest back-test of a domain')

export const RULE_OPERATIONS = {
  getRules: {
    method: 'GET',
    path: '/account/domains/{domain}/rules',
    access: 'visits:read',
    summary: 'Read the weights and rules of a domain',
    params: DomainPath,
    answer: DomainRules,
    errors: NO_DOMAIN,
  },
  saveRules: {
    method: 'POST',
    path: '/account/domains/{domain}/rules',
    access: 'rules:write',
    summary: 'Save weights as a new version and use them',
    description: 'Every server of the installation scores new visits with them within a second.',
    params: DomainPath,
    body: RulesSaving,
    answer: DomainRules,
    errors: NO_DOMAIN,
  },
  chooseRules: {
    method: 'PATCH',
    path: '/account/domains/{domain}/rules',
    access: 'rules:write',
    summary: 'Use an earlier version or the weights of the release',
    params: DomainPath,
    body: RulesChoice,
    answer: DomainRules,
    errors: NO_DOMAIN,
  },
  startBackTest: {
    method: 'POST',
    path: '/account/domains/{domain}/back-test',
    access: 'rules:write',
    summary: 'Start a back-test of weights on stored visits',
    description:
      'Runs in the background and changes nothing. Only visits with a stored snapshot count. A domain can run one test at a time.',
    params: DomainPath,
    body: BackTestStart,
    answer: BackTest,
    errors: { ...NO_DOMAIN, 409: 'a back-test of this domain is running' },
  },
  getBackTest: {
    method: 'GET',
    path: '/account/domains/{domain}/back-test',
    access: 'visits:read',
    summary: 'Get the latest back-test with its progress and result',
    params: DomainPath,
    answer: LatestBackTest,
    errors: NO_DOMAIN,
  },
  cancelBackTest: {
    method: 'DELETE',
    path: '/account/domains/{domain}/back-test',
    access: 'rules:write',
    summary: 'Cancel the back-test that is running',
    params: DomainPath,
    answer: 'nothing',
    errors: NO_DOMAIN,
  },
} as const satisfies Record<string, AccountOperation>

const WEIGHTS = { vpn: 5, os_mismatch: 75 }

const RULES: DomainRules = {
  active: 1,
  signals: [
    {
      name: 'vpn',
      title: 'VPN',
      meaning: 'The address belongs to a commercial VPN.',
      evidence: 'The address data.',
      innocent_causes: ['a company that connects its staff through a VPN'],
      flag: 'vpn',
      release_weight: 15,
      weight: 5,
      max: 29,
    },
  ],
  suppressions: [{ by: 'vpn', silences: ['proxy', 'datacenter_ip'] }],
  versions: [
    {
      version: 1,
      saved_at: '2026-10-08T14:25:00.000Z',
      actor: 'mira@brewline.example',
      note: 'Many of our customers travel',
      weights: WEIGHTS,
    },
  ],
}

const BACK_TEST: BackTest = {
  state: 'done',
  error: null,
  weights: WEIGHTS,
  days: 7,
  started_at: '2026-10-08T14:20:00.000Z',
  done: 1_840,
  total: 1_840,
  report: {
    identifications: 1_840,
    changed: 61,
    matrix: {
      trusted: { trusted: 1_700, suspicious: 0, dangerous: 0 },
      suspicious: { trusted: 58, suspicious: 62, dangerous: 0 },
      dangerous: { trusted: 0, suspicious: 0, dangerous: 20 },
    },
    signals: [{ name: 'vpn', before: { hits: 61, points: 915 }, after: { hits: 61, points: 305 } }],
    samples: [{ request_id: REQUEST_ID, at: '2026-10-08T11:58:00.412Z', score: { before: 35, after: 25 } }],
  },
}

export const RULE_EXAMPLES: Examples<typeof RULE_OPERATIONS> = {
  getRules: { answer: RULES },
  saveRules: { body: { weights: WEIGHTS, note: 'Many of our customers travel' }, answer: RULES },
  chooseRules: { body: { version: null }, answer: { ...RULES, active: null } },
  startBackTest: {
    body: { weights: WEIGHTS, days: 7, visits: 10_000 },
    answer: { ...BACK_TEST, state: 'running' as const, done: 0, report: null },
  },
  getBackTest: { answer: { back_test: BACK_TEST } },
  cancelBackTest: {},
}
