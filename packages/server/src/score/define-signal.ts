import type { DetectionFlag } from '@inkling/contract'
import type { Identified } from '../visit/identification.ts'
import type { Fact } from '../visit/received.ts'

export interface Hit {
  answer: 'hit'
  evidence: Record<string, unknown>
  /** Text of the score entry. Clients derive the signal name from it: see `signalNameOf` of the contract. */
  description: string
}

/** `clear` means checked and fine. `unknown` means that the facts were missing, which is neither. */
export type Answer = Hit | { answer: 'clear' } | { answer: 'unknown' }

export const clear: Answer = { answer: 'clear' }
export const unknown: Answer = { answer: 'unknown' }
export const hit = (description: string, evidence: Record<string, unknown>): Answer => ({
  answer: 'hit',
  description,
  evidence,
})

/**
 * One signal, all of it: what it is called, what it weighs, and how it is decided. The contract's catalogue
 * and the page in `docs/signals` are generated from this by `npm run docs`.
 */
export interface Signal<Name extends string = string> {
  /** On the wire, and in kebab-case the name of its file and page. */
  name: Name
  /** What a person reads as its name. */
  title: string
  /** Points it adds to the score; 0 informs, a negative weight takes points back. */
  weight: number
  /** The detection flag it raises. */
  flag?: DetectionFlag
  /** What a hit means, in a sentence. */
  meaning: string
  /** The facts it rests on, in a sentence. */
  evidence: string
  /** Ordinary setups that raise it too. */
  innocentCauses: readonly string[]
  /** Pure: no I/O, no clock, no store. */
  test(identified: Identified): Answer
}

/** Keeps the name as a literal type, so that rules can only speak of signals that exist. */
export const defineSignal = <Name extends string>(signal: Signal<Name>): Signal<Name> => signal

/** The value of a reading, or undefined where there is none. */
export const valueIn = <Value>(fact: Fact<Value>): Value | undefined => (fact.ok ? fact.value : undefined)
