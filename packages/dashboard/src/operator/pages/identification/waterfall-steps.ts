import type { ExplainedEntry } from '@inkling/contract'
import type { z } from 'zod'

export type Entry = z.infer<typeof ExplainedEntry>

export interface Step {
  entry: Entry
  /** Points before and after this entry, as they add up. */
  from: number
  to: number
}

/** Where each bar begins and ends. The values are the server's; here they are only laid end to end. */
export function waterfallSteps(entries: readonly Entry[]): Step[] {
  let sum = 0
  return entries.map((entry) => {
    const from = sum
    sum += entry.value
    return { entry, from, to: sum }
  })
}

/** Points that the axis must hold. */
export const axisEnd = (steps: readonly Step[]): number =>
  Math.max(100, ...steps.map(({ from, to }) => Math.max(from, to)))
