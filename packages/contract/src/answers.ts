import { z } from 'zod'

/** Body of most errors. Programs read the status; the text is for people. */
export const ErrorBody = z
  .object({ error: z.string().describe('What went wrong') })
  .describe('What went wrong, in words. Programs read the status instead')
export type ErrorBody = z.infer<typeof ErrorBody>

/** Answer of the health check. */
export const HealthAnswer = z
  .object({ status: z.literal('ok').describe('Always `ok`') })
  .describe('The process is up')
export type HealthAnswer = z.infer<typeof HealthAnswer>

/** Answer of ingest: the client's address. The identification is stored by then. */
export const IngestAcknowledgment = z
  .union([z.ipv4(), z.ipv6()])
  .describe("The client's address. It says that the identification is stored, and nothing of its score")
export type IngestAcknowledgment = z.infer<typeof IngestAcknowledgment>

const masked = (what: string) =>
  z.string().describe(`${what} with \`*\` for all but its last four characters`)

/** Answer of the Management API about a registered domain, keys in the order sent. */
export const DomainProfile = z.object({
  Domain: z.string().describe('Registered domain'),
  Weight: z.int().describe('Identifications that are left of the volume; below 0 once it is used up'),
  Callback: z.string().describe('Webhook URL that the callback route set, or empty'),
  PublicKey: masked('Public Key'),
  Secret: masked('Secret Key'),
  CreatedAt: z
    .string()
    .describe('When the domain was registered: RFC 3339, UTC, whole seconds. The year 1 stands for unknown'),
})
export type DomainProfile = z.infer<typeof DomainProfile>
