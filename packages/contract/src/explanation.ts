import { z } from 'zod'
import { Uuid } from './fields.ts'

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

/** What the server saw of the connection, or why it saw nothing. */
export const NetworkObservation = z
  .object({
    available: z.boolean().describe('Whether it was seen'),
    source: z.string().optional().describe('Where it was seen: `kernel`, `tls`, `http`, `turn`, `websocket`'),
    reason: z.string().optional().describe('Why there is nothing, such as `behind_proxy`'),
    value: z.unknown().optional().describe('What was seen'),
  })
  .describe('Something the server saw of the connection, or why it saw nothing')

/** Why it is this device. */
export const IdentityDecision = z
  .object({
    outcome: z
      .string()
      .describe('`cookie`, `linked`, `new`, `separated` or `cookie_carried_over`; an open set'),
    confidence: z.number().describe('Probability that the decision is right, 0 to 1'),
    agreed: z.array(z.string()).describe('Components that are as the device had them'),
    changed: z.array(z.string()).describe('Components that changed since'),
    absent: z.array(z.string()).describe('Components that are missing, or that the browser adds noise to'),
    clones: z.number().describe('Known devices that look the same'),
    devices: z.number().describe('Known devices with the same system and browser'),
    candidates: z.number().describe('Devices that were compared'),
    hardware_flips: z.array(z.string()).describe('Hardware that is not what it was on this device'),
    merged: Uuid.optional().describe('Device ID that proved to be another name of this device'),
  })
  .describe('Why it is this device')

/** Why an identification was scored as it was: what `score_details` has no room for. */
export const Explanation = z
  .object({
    request_id: Uuid.describe('The identification'),
    score: z.int().describe('Risk Score 0-100; 999 means rate limited'),
    entries: z.array(ExplainedEntry).describe('What the score consists of, suppressed entries included'),
    clear: z.array(z.string()).describe('Signals that were checked and are fine'),
    unknown: z.array(z.string()).describe('Signals whose facts were missing'),
    network: z
      .record(z.string(), NetworkObservation)
      .optional()
      .describe('What the server itself saw of the connection; missing when no snapshot is kept'),
    identity: z
      .object({
        device_id: Uuid.describe('Nil when there is no usable device data'),
        visitor_id: Uuid.describe('Nil when there is no usable device data'),
        components: z.array(z.string()).describe('Readings that the device identifier rests on'),
        decision: IdentityDecision.optional(),
      })
      .describe('The identifiers it was given, and from what'),
  })
  .describe('Why an identification was scored as it was')
export type Explanation = z.infer<typeof Explanation>
