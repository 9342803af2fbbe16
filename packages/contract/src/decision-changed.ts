import { z } from 'zod'
import { DecideAnswer } from './decide.ts'
import { DecisionAction, DecisionPurpose } from './decision.ts'
import { FIELDS, Uuid } from './fields.ts'

const Moment = z.string().describe('RFC 3339 UTC')

/** What a stored decision would be since later evidence came. */
export const ChangedDecision = DecideAnswer.pick({
  action: true,
  reasons: true,
  points: true,
  rules: true,
  failed_rules: true,
  score: true,
  band: true,
  ver: true,
})
  .extend({ changed_at: Moment.describe('When this was found; RFC 3339 UTC') })
  .describe('What would be decided now, by the rules of now')
export type ChangedDecision = z.infer<typeof ChangedDecision>

export const StoredDecision = DecideAnswer.omit({ velocity: true })
  .extend({
    changed: ChangedDecision.nullable().describe(
      'What it would be since later evidence came; null if that changes nothing. It stays once something changed, even back',
    ),
  })
  .describe('A decision as it was answered to the backend')
export type StoredDecision = z.infer<typeof StoredDecision>

/** Sent to endpoints that subscribe to it, when later evidence about a visit would lead to another action. */
export const DecisionChanged = z
  .object({
    event_type: z.literal('decision.changed').describe('Name of the event'),
    schema_version: z.string().describe('As in `identification.scored`. Take any other value, too'),
    event_id: z.string().describe('Same value each time this event is sent'),
    created_at: Moment.describe('When the change was found; RFC 3339 UTC'),
    data: z
      .object({
        decision_id: Uuid.describe('The decision, as it was answered'),
        request_id: FIELDS.requestId,
        domain: z.string().describe('Registered domain'),
        purpose: DecisionPurpose.describe('What it is about'),
        answered_action: DecisionAction.describe('What your backend was told'),
        previous_action: DecisionAction.describe(
          'What the last event said; the answer where this is the first',
        ),
        action: DecisionAction.describe('What would be answered now'),
        reasons: z.array(z.string()).describe('In words, the one that decides first'),
        score: FIELDS.score,
        ver: z.int().describe('Version of the identification that is judged'),
        decided_at: Moment.describe('When your backend was told; RFC 3339 UTC'),
      })
      .describe('The decision and what it would be'),
  })
  .describe('The event `decision.changed`; keys in the order sent')
export type DecisionChanged = z.infer<typeof DecisionChanged>
