import { describe, expect, test } from 'vitest'
import type { Signal } from '../src/score/define-signal.ts'
import type { Identified } from '../src/visit/identification.ts'

type Case = readonly [name: string, identified: Identified]

export interface SignalCases {
  hit: readonly [Case, ...Case[]]
  clear: readonly [Case, ...Case[]]
  /** A signal that can always be answered has none, and says why. */
  unknown: readonly [Case, ...Case[]] | 'always answerable'
}

/** The tests of one signal: a case for each answer it can give. */
export function describeSignal(signal: Signal, cases: SignalCases): void {
  describe(signal.name, () => {
    for (const answer of ['hit', 'clear', 'unknown'] as const) {
      const list = cases[answer]
      if (list === 'always answerable') continue
      for (const [name, identified] of list)
        test(`${answer}: ${name}`, () => {
          expect(signal.test(identified).answer).toBe(answer)
        })
    }
  })
}
