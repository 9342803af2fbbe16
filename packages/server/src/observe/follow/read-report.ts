import { z } from 'zod'
import { nestsOver } from '../../lib/nests-over.ts'
import type { BrowserReport } from './follow-ups.ts'

/** Several times what an agent sends. */
const LEVELS_MAX = 32

const Report = z.object({
  network: z
    .object({ outcome: z.enum(['complete', 'unsupported', 'failed']), answered: z.boolean() })
    .optional(),
  readings: z.record(z.string(), z.unknown()).optional(),
  more: z.boolean().optional(),
})

/** What the agent says at the end of its checks, or of the visitor's action after that; undefined for anything else. */
export function readReport(text: string): BrowserReport | undefined {
  let sent: unknown
  try {
    sent = JSON.parse(text)
  } catch {
    return undefined
  }
  if (nestsOver(sent, LEVELS_MAX)) return undefined
  const { success, data } = Report.safeParse(sent)
  if (!success) return undefined
  const { network, readings, more = false } = data
  return { network, readings: readings && JSON.stringify(readings), more }
}
