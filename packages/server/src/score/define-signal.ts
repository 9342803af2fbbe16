import type { SignalName } from '@inkling/contract'
import type { Identified } from '../visit/identification.ts'

export interface Hit {
  answer: 'hit'
  evidence: Record<string, unknown>
  /** Text of the score entry, in the words that clients parse. */
  description: string
}

/** `clear` means checked and fine; `unknown` means the facts were missing, which is neither. */
export type Answer = Hit | { answer: 'clear' } | { answer: 'unknown' }

export const clear: Answer = { answer: 'clear' }
export const unknown: Answer = { answer: 'unknown' }
export const hit = (description: string, evidence: Record<string, unknown>): Answer => ({
  answer: 'hit',
  description,
  evidence,
})

/** A pure verdict over what is known of one identification: no I/O, no clock, no store. */
export interface Signal {
  name: SignalName
  /** What it means, in a sentence. */
  meaning: string
  /** Which facts it rests on, in a sentence. */
  evidence: string
  /** Ordinary setups that raise it too. */
  innocentCauses: readonly string[]
  test(identified: Identified): Answer
}

/** Title, weight and flag stand in the contract's catalogue under the same name. */
export const defineSignal = (signal: Signal): Signal => signal
