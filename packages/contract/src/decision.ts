import { z } from 'zod'

/** What a customer does with a visit, weakest first. */
export const DECISION_ACTIONS = ['allow', 'review', 'challenge', 'deny'] as const
export const DecisionAction = z.enum(DECISION_ACTIONS)
export type DecisionAction = z.infer<typeof DecisionAction>

/** What a customer asks a decision for. */
export const DECISION_PURPOSES = ['signup', 'login', 'payment', 'promotion', 'scraping', 'custom'] as const
export const DecisionPurpose = z.enum(DECISION_PURPOSES)
export type DecisionPurpose = z.infer<typeof DecisionPurpose>
