import { z } from 'zod'
import { Uuid } from './identifiers.ts'

/** One entry of a score with what it rests on. */
export const ExplainedEntry = z
  .object({
    name: z.string().describe('Signal name'),
    title: z.string().describe('What a person reads as its name'),
    description: z.string().describe('As in `score_details`'),
    weight: z.int().describe('What the signal weighs'),
    value: z.int().describe('What it added to this score; 0 when suppressed or informational'),
    suppressed_by: z.string().optional().describe('The signal that stands in for this one'),
    evidence: z.record(z.string(), z.unknown()).describe('The facts it rests on'),
  })
  .describe('One entry of a score with what it rests on')
export type ExplainedEntry = z.infer<typeof ExplainedEntry>

/** Why an identification was scored as it was: what `score_details` has no room for. */
export const Explanation = z
  .object({
    request_id: Uuid.describe('The identification'),
    score: z.int().describe('Risk Score 0-100; 999 means rate limited'),
    entries: z.array(ExplainedEntry).describe('What the score consists of, suppressed entries included'),
    clear: z.array(z.string()).describe('Signals that were checked and are fine'),
    unknown: z.array(z.string()).describe('Signals whose facts were missing'),
    identity: z
      .object({
        device_id: Uuid.describe('Nil when there is no usable device data'),
        visitor_id: Uuid.describe('Nil when there is no usable device data'),
        components: z.array(z.string()).describe('Readings that the device identifier rests on'),
      })
      .describe('The identifiers it was given, and from what'),
  })
  .describe('Why an identification was scored as it was')
export type Explanation = z.infer<typeof Explanation>
