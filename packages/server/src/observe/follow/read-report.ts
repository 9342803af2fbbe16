import { z } from 'zod'
import type { BrowserReport } from './follow-ups.ts'

const Report = z.object({
  network: z.object({ outcome: z.enum(['complete', 'unsupported', 'failed']), answered: z.boolean() }),
  readings: z.record(z.string(), z.unknown()).optional(),
})

/** What the agent says at the end of its checks; undefined for anything else. */
export function readReport(text: string): BrowserReport | undefined {
  let sent: unknown
  try {
    sent = JSON.parse(text)
  } catch {
    return undefined
  }
  const { success, data } = Report.safeParse(sent)
  if (!success) return undefined
  return { network: data.network, readings: data.readings && JSON.stringify(data.readings) }
}
