import { AGENT_EXAMPLES, AGENT_OPERATIONS } from './agents.ts'
import { ALERT_EXAMPLES } from './alert-examples.ts'
import { ALERT_OPERATIONS } from './alerts.ts'
import { API_KEY_EXAMPLES, API_KEY_OPERATIONS } from './api-keys.ts'
import { ASSISTANT_EXAMPLES, ASSISTANT_OPERATIONS } from './assistants.ts'
import { AUDIT_EXAMPLES, AUDIT_OPERATIONS } from './audit.ts'
import { CASE_EXAMPLES } from './case-examples.ts'
import { CASE_OPERATIONS } from './cases.ts'
import { DECISION_BACK_TEST_EXAMPLES, DECISION_BACK_TEST_OPERATIONS } from './decision-back-test.ts'
import { DECISION_RULE_EXAMPLES, DECISION_RULE_OPERATIONS } from './decision-rules.ts'
import { DECISION_EXAMPLES, DECISION_OPERATIONS } from './decisions.ts'
import { DEVICE_EXAMPLES, DEVICE_OPERATIONS } from './devices.ts'
import { DOMAIN_EXAMPLES, DOMAIN_OPERATIONS } from './domains.ts'
import { ENDPOINT_EXAMPLES, ENDPOINT_OPERATIONS } from './endpoints.ts'
import { ENTITY_EXAMPLES, ENTITY_OPERATIONS } from './entities.ts'
import { FEED_EXAMPLES, FEED_OPERATIONS } from './feeds.ts'
import { FIND_EXAMPLES, FIND_OPERATIONS } from './find.ts'
import { HEALTH_EXAMPLES, HEALTH_OPERATIONS } from './health.ts'
import { IDENTIFICATION_EXAMPLES, IDENTIFICATION_OPERATIONS } from './identifications.ts'
import { INVITATION_EXAMPLES, INVITATION_OPERATIONS } from './invitations.ts'
import { LABEL_EXAMPLES, LABEL_OPERATIONS } from './labels.ts'
import { LIST_EXAMPLES, LIST_OPERATIONS } from './lists.ts'
import { MEMBER_EXAMPLES, MEMBER_OPERATIONS } from './members.ts'
import { MY_ACCOUNT_EXAMPLES, MY_ACCOUNT_OPERATIONS } from './my-account.ts'
import type { AccountOperation, AnswerOf, Examples } from './operation.ts'
import { OVERVIEW_EXAMPLES, OVERVIEW_OPERATIONS } from './overview.ts'
import { PATTERN_EXAMPLES, PATTERN_OPERATIONS } from './patterns.ts'
import { PRIVACY_EXAMPLES, PRIVACY_OPERATIONS } from './privacy.ts'
import { PROPOSAL_EXAMPLES, PROPOSAL_OPERATIONS } from './proposals.ts'
import { RULE_EXAMPLES, RULE_OPERATIONS } from './rules.ts'
import { SESSION_EXAMPLES, SESSION_OPERATIONS } from './session.ts'
import { SIGN_IN_EXAMPLES, SIGN_IN_OPERATIONS } from './sign-in.ts'
import { USER_EXAMPLES, USER_OPERATIONS } from './users.ts'
import { VIEW_EXAMPLES, VIEW_OPERATIONS } from './views.ts'

/** Every operation of the account API, with the credential it requires. One line joins a resource. */
export const ACCOUNT_OPERATIONS = {
  ...SIGN_IN_OPERATIONS,
  ...SESSION_OPERATIONS,
  ...MY_ACCOUNT_OPERATIONS,
  ...ASSISTANT_OPERATIONS,
  ...USER_OPERATIONS,
  ...INVITATION_OPERATIONS,
  ...DOMAIN_OPERATIONS,
  ...MEMBER_OPERATIONS,
  ...API_KEY_OPERATIONS,
  ...ENDPOINT_OPERATIONS,
  ...IDENTIFICATION_OPERATIONS,
  ...VIEW_OPERATIONS,
  ...ENTITY_OPERATIONS,
  ...DEVICE_OPERATIONS,
  ...OVERVIEW_OPERATIONS,
  ...PATTERN_OPERATIONS,
  ...PRIVACY_OPERATIONS,
  ...RULE_OPERATIONS,
  ...AGENT_OPERATIONS,
  ...DECISION_RULE_OPERATIONS,
  ...DECISION_BACK_TEST_OPERATIONS,
  ...DECISION_OPERATIONS,
  ...LIST_OPERATIONS,
  ...LABEL_OPERATIONS,
  ...CASE_OPERATIONS,
  ...PROPOSAL_OPERATIONS,
  ...ALERT_OPERATIONS,
  ...FIND_OPERATIONS,
  ...FEED_OPERATIONS,
  ...HEALTH_OPERATIONS,
  ...AUDIT_OPERATIONS,
} as const satisfies Record<string, AccountOperation>

/** The examples of the reference. */
export const ACCOUNT_EXAMPLES: Examples<typeof ACCOUNT_OPERATIONS> = {
  ...SIGN_IN_EXAMPLES,
  ...SESSION_EXAMPLES,
  ...MY_ACCOUNT_EXAMPLES,
  ...ASSISTANT_EXAMPLES,
  ...USER_EXAMPLES,
  ...INVITATION_EXAMPLES,
  ...DOMAIN_EXAMPLES,
  ...MEMBER_EXAMPLES,
  ...API_KEY_EXAMPLES,
  ...ENDPOINT_EXAMPLES,
  ...IDENTIFICATION_EXAMPLES,
  ...VIEW_EXAMPLES,
  ...ENTITY_EXAMPLES,
  ...DEVICE_EXAMPLES,
  ...OVERVIEW_EXAMPLES,
  ...PATTERN_EXAMPLES,
  ...PRIVACY_EXAMPLES,
  ...RULE_EXAMPLES,
  ...AGENT_EXAMPLES,
  ...DECISION_RULE_EXAMPLES,
  ...DECISION_BACK_TEST_EXAMPLES,
  ...DECISION_EXAMPLES,
  ...LIST_EXAMPLES,
  ...LABEL_EXAMPLES,
  ...CASE_EXAMPLES,
  ...PROPOSAL_EXAMPLES,
  ...ALERT_EXAMPLES,
  ...FIND_EXAMPLES,
  ...FEED_EXAMPLES,
  ...HEALTH_EXAMPLES,
  ...AUDIT_EXAMPLES,
}

export type AccountOperationName = keyof typeof ACCOUNT_OPERATIONS

/** The body of an operation's success; undefined for nothing and for a file. */
export type AccountAnswer<Name extends AccountOperationName> = AnswerOf<(typeof ACCOUNT_OPERATIONS)[Name]>
