import { z } from 'zod'

/** Body of most errors: what went wrong, for a person. Branch on the status instead. */
export const ErrorBody = z
  .object({ error: z.string().describe('What went wrong') })
  .describe('An error, in words for a person: branch on the status instead')
export type ErrorBody = z.infer<typeof ErrorBody>

/** Answer of the health check. */
export const HealthAnswer = z
  .object({ status: z.literal('ok').describe('Always `ok`') })
  .describe('Answer of the health check')
export type HealthAnswer = z.infer<typeof HealthAnswer>

/** Answer of ingest: the client's address. It means stored and says nothing of the score. */
export const IngestAcknowledgment = z
  .union([z.ipv4(), z.ipv6()])
  .describe('Address of the client: an acknowledgment, never the score')
export type IngestAcknowledgment = z.infer<typeof IngestAcknowledgment>

/** Answer of the older route that sets the webhook URL. */
export const CallbackAnswer = z
  .object({ callback: z.url().describe('The URL that is now set') })
  .describe('The webhook URL as it now is')
export type CallbackAnswer = z.infer<typeof CallbackAnswer>
