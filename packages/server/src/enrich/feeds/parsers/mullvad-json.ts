import { z } from 'zod'
import type { Entry } from './entry.ts'
import { readJson } from './read-json.ts'

const Document = z.array(z.object({ ipv4_addr_in: z.string(), ipv6_addr_in: z.string().nullish() }))

/** Mullvad's relays. */
export function* parseMullvadJson(text: string): Generator<Entry> {
  for (const { ipv4_addr_in, ipv6_addr_in } of readJson(text, Document)) {
    yield { range: ipv4_addr_in }
    if (ipv6_addr_in) yield { range: ipv6_addr_in }
  }
}
