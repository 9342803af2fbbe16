import { z } from 'zod'

const masked = (what: string) =>
  z.string().describe(`${what}: every character but the last four is \`*\`, the length is kept`)

/** Answer of the Management API about a registered domain, keys in the order sent. */
export const DomainProfile = z.object({
  Domain: z.string().describe('Registered domain'),
  Weight: z.int().describe('Included identifications left; negative when over the included volume'),
  Callback: z.string().describe('Webhook URL set by the callback route; empty when there is none'),
  PublicKey: masked('Public Key'),
  Secret: masked('Secret Key'),
  CreatedAt: z
    .string()
    .describe('When the domain was registered, RFC 3339 UTC to the second; year 1 when unknown'),
})
export type DomainProfile = z.infer<typeof DomainProfile>
