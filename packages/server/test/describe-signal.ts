import { describe, expect, test } from 'vitest'
import type { Signal } from '../src/score/define-signal.ts'
import type { Identified } from '../src/visit/identification.ts'

type Case = readonly [name: string, identified: Identified]

export interface SignalCases {
  hit: readonly [Case, ...Case[]]
  clear: readonly [Case, ...Case[]]
  /** For a signal that never lacks facts, the reason instead of cases. */
  unknown: readonly [Case, ...Case[]] | 'always answerable'
}

/** Tests one signal, with cases for each of its answers. */
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
