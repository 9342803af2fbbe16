import { z } from 'zod'
import { MalformedFeed } from '../malformed-feed.ts'
import type { Entry } from './entry.ts'
import { readJson } from './read-json.ts'

const Document = z.object({
  values: z.array(
    z.object({ name: z.string(), properties: z.object({ addressPrefixes: z.array(z.string()) }) }),
  ),
})

/** The tag of all public addresses of the data centres; the others are services, some outside of them. */
const TAG = 'AzureCloud'

/** Microsoft's `ServiceTags_Public_*.json`, whose address changes with every week. */
export function* parseAzureJson(text: string): Generator<Entry> {
  const tag = readJson(text, Document).values.find(({ name }) => name === TAG)
  if (!tag) throw new MalformedFeed(`has no tag ${TAG}`)
  for (const range of tag.properties.addressPrefixes) yield { range }
}
