import { z } from 'zod'
import type { Entry } from './entry.ts'
import { readJson } from './read-json.ts'

const Document = z.object({
  prefixes: z.array(z.union([z.object({ ipv4Prefix: z.string() }), z.object({ ipv6Prefix: z.string() })])),
})

/** `{prefixes: [{ipv4Prefix} or {ipv6Prefix}]}`, in which nearly every crawler publishes its ranges. */
export function* parseGoogleJson(text: string): Generator<Entry> {
  for (const prefix of readJson(text, Document).prefixes)
    yield { range: trim('ipv4Prefix' in prefix ? prefix.ipv4Prefix : prefix.ipv6Prefix) }
}

/** Bing's file once held zero-width spaces. */
const trim = (range: string): string => range.replaceAll('\u200b', '').trim()
