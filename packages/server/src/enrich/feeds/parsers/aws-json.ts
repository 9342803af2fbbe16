import { z } from 'zod'
import type { Entry } from './entry.ts'
import { readJson } from './read-json.ts'

const Document = z.object({
  prefixes: z.array(z.object({ ip_prefix: z.string() })),
  ipv6_prefixes: z.array(z.object({ ipv6_prefix: z.string() })),
})

/** Amazon's `ip-ranges.json`. */
export function* parseAwsJson(text: string): Generator<Entry> {
  const { prefixes, ipv6_prefixes } = readJson(text, Document)
  for (const { ip_prefix } of prefixes) yield { range: ip_prefix }
  for (const { ipv6_prefix } of ipv6_prefixes) yield { range: ipv6_prefix }
}
