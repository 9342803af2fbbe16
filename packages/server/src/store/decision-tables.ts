import type { DecisionAction, DecisionPurpose, DecisionRuleState } from '@inkling/contract'
import type { Generated } from 'kysely'

// Tables of what customers decide by: lists, labels, rules, and the decisions and cases that follow.

/** An entry of a domain's lists. Saving another one of the same list, kind and value replaces it, with a new ID. */
export interface ListEntryTable {
  id: Generated<number>
  domain_id: number
  /** A name of the contract's `LIST_NAMES`. */
  list: string
  /** Of `LIST_KINDS`. */
  kind: string
  /** In normal form. */
  value: string
  reason: string
  /** E-mail address of the user who saved it. */
  author: string
  /** NULL for an entry that stays. */
  expires_at: number | null
  created_at: number
}

/** Servers reload the lists of a domain when its version changes. */
export interface ListVersionTable {
  domain_id: number
  version: number
}

/** What a customer found out about a visitor. One row for each kind, subject and source. */
export interface LabelTable {
  id: Generated<number>
  domain_id: number
  kind: string
  /** Of the contract's `LABEL_SUBJECTS`. */
  subject_type: string
  /** In normal form. */
  subject_value: string
  source: string
  /** When it was so, as the author says. */
  at: number
  note: string
  /** E-mail address of the user who stored it, or `api key`. */
  author: string
  created_at: number
}

/** A saved version of a rule that decides. Only `latest` changes afterwards. */
export interface DecisionRuleTable {
  domain_id: number
  /** 1 for the first rule of a domain. */
  rule_id: number
  /** 1 for the first version of a rule. */
  version: number
  created_at: number
  /** E-mail address of the user who saved it. */
  actor: string
  name: string
  /** CEL. */
  condition: string
  /** JSON of the contract's effect. */
  effect: string
  priority: number
  /** JSON array; NULL for all. */
  purposes: string | null
  state: DecisionRuleState
  /** 1 for the version that counts; no version of a removed rule does. */
  latest: number
}

/** The least decision score for an action; NULL where points never lead to it. */
export interface DecisionThresholdTable {
  domain_id: number
  review: number | null
  challenge: number | null
  deny: number | null
}

/** How often a rule met on one day. */
export interface DecisionRuleHitTable {
  domain_id: number
  rule_id: number
  /** Start of the day, UTC. */
  day: number
  /** The rule's state then. */
  state: DecisionRuleState
  met: number
  failed: number
}

/** What was answered to a customer who asked what to do about a visit. Each visit answers a purpose once. */
export interface DecisionTable {
  id: Generated<number>
  domain_id: number
  request_id: Uint8Array
  purpose: DecisionPurpose
  idempotency_key: string | null
  /** SHA-256 of the question, to tell a repeated one from another one. */
  asked: Uint8Array
  /** As the customer named it, in normal form. */
  account: string | null
  client_address: string | null
  /** JSON of what the facts are made of beside the visit, for replays. */
  question: string
  /** JSON of the contract's `DecideAnswer`, without the counts that are stored with the visit. */
  answer: string
  action: DecisionAction
  /** Version of the identification that was judged. */
  ver: number
  decided_at: number
  /** Version of the identification that this decision is to be compared with; NULL if there is nothing to compare. */
  stale: number | null
  /** JSON of the contract's `ChangedDecision`: what it would be since later evidence; NULL if nothing changed. */
  later: string | null
}

/** Something that a person should look at. */
export interface CaseTable {
  id: Generated<number>
  domain_id: number
  /** Counted for each domain. */
  number: number
  title: string
  /** Of the contract's `CASE_SUBJECTS`. One that is not closed has its subject alone. */
  subject_type: string
  /** In normal form. */
  subject_value: string
  source: string
  status: string
  priority: string
  /** E-mail address of a user; NULL for nobody. */
  assignee: string | null
  due_at: number
  /** Decisions `review` that it counts. */
  reviews: number
  /** The action that was decided on; NULL while there is none. */
  outcome: string | null
  opened_by: string
  opened_at: number
  changed_at: number
  /** NULL while it is open. */
  closed_at: number | null
}

/** An entry of a case's timeline. */
export interface CaseEventTable {
  id: Generated<number>
  domain_id: number
  case_id: number
  /** Of the contract's `CASE_EVENT_KINDS`. */
  kind: string
  at: number
  author: string
  /** The visit of which it keeps something, with which it goes; NULL for none. */
  request_id: Uint8Array | null
  /** `decision:7` or `finding:7`, of which it keeps a copy, with which it goes; NULL for none. */
  reference: string | null
  /** JSON of the rest of the contract's `CaseEvent`. */
  body: string
}

/** One row: decisions up to this number have their cases. */
export interface CaseCursorTable {
  id: number
  decision_id: number
}

/** The latest back-test of a kind. */
export interface BackTestTable {
  domain_id: number
  kind: string
  /** Another one for each start. */
  run: string
  state: 'running' | 'done' | 'cancelled' | 'failed'
  started_at: number
  ended_at: number | null
  /** When the node that runs it was last heard of. */
  seen_at: number
  /** JSON of what is tested and what was found, so far while it runs. */
  body: string
}
