import { z } from 'zod'
import { DecisionEffect, DecisionFields, DecisionRuleChanges, DecisionThresholds } from '../decision.ts'
import { OwnWeights } from '../own-weights.ts'
import * as agents from './agents.ts'
import * as alerts from './alerts.ts'
import * as assistants from './assistants.ts'
import * as audit from './audit.ts'
import * as cases from './cases.ts'
import * as decisionBackTest from './decision-back-test.ts'
import * as decisionRules from './decision-rules.ts'
import * as decisions from './decisions.ts'
import * as devices from './devices.ts'
import * as domains from './domains.ts'
import * as endpoints from './endpoints.ts'
import * as entities from './entities.ts'
import * as feeds from './feeds.ts'
import * as health from './health.ts'
import * as identifications from './identifications.ts'
import * as invitations from './invitations.ts'
import * as labels from './labels.ts'
import * as lists from './lists.ts'
import * as myAccount from './my-account.ts'
import * as overview from './overview.ts'
import * as patterns from './patterns.ts'
import * as privacy from './privacy.ts'
import * as proposals from './proposals.ts'
import * as rules from './rules.ts'
import * as session from './session.ts'
import * as signIn from './sign-in.ts'
import * as users from './users.ts'
import * as views from './views.ts'

const EXPORTS = {
  ...signIn,
  ...session,
  ...myAccount,
  ...assistants,
  ...users,
  ...invitations,
  ...domains,
  ...endpoints,
  ...identifications,
  ...views,
  ...devices,
  ...entities,
  ...overview,
  ...patterns,
  ...privacy,
  ...rules,
  ...agents,
  ...decisionRules,
  ...decisionBackTest,
  ...decisions,
  ...lists,
  ...labels,
  ...cases,
  ...proposals,
  ...alerts,
  ...feeds,
  ...health,
  ...audit,
  OwnWeights,
  DecisionEffect,
  DecisionFields,
  DecisionRuleChanges,
  DecisionThresholds,
}

/** Filters are parameters of a path and fields are parts of other schemas: the reference shows them in place. */
type Unnamed = `${string}Filters` | `${string}Field`
const isUnnamed = (name: string): name is Unnamed => /(Filters|Field)$/.test(name)

type Named<Exports> = {
  [Name in keyof Exports as Exports[Name] extends z.ZodType ? Exclude<Name, Unnamed> : never]: Exports[Name]
}

/** Every schema that a resource exports, under the name that the reference gives it: that of its export. */
export const ACCOUNT_SCHEMAS = Object.fromEntries(
  Object.entries(EXPORTS).filter(([name, value]) => value instanceof z.ZodType && !isUnnamed(name)),
) as Named<typeof EXPORTS>
