import type { Fact } from '../visit/identification.ts'

/** The value of a reading, or undefined where there is none. */
export const known = <Value>(fact: Fact<Value>): Value | undefined => (fact.ok ? fact.value : undefined)
