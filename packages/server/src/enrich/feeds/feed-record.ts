import { z } from 'zod'
import type { Feed } from './feed.ts'

const time = z.iso.datetime().transform((text) => Date.parse(text))

/** What lies beside a feed's ranges: where they come from, on what terms, and how the last attempt went. */
const FeedRecord = z.object({
  url: z.string(),
  parser: z.string(),
  terms: z.string(),
  data: z
    .object({
      /** Of the file with the ranges. */
      sha256: z.string().regex(/^[0-9a-f]{64}$/),
      rows: z.number().int(),
      /** When the source last confirmed it. */
      updated_at: time,
      etag: z.string().optional(),
      last_modified: z.string().optional(),
    })
    .optional(),
  failure: z.object({ at: time, reason: z.string() }).optional(),
})

export type FeedRecord = z.output<typeof FeedRecord>

export const sourceOf = ({ url, parser, terms }: Feed): Pick<FeedRecord, 'url' | 'parser' | 'terms'> => ({
  url,
  parser,
  terms,
})

/** Undefined when the text is damaged, or about another source than the feed's. */
export function parseRecord(feed: Feed, text: string): FeedRecord | undefined {
  const record = FeedRecord.safeParse(parseJson(text)).data
  return record?.url === feed.url && record.parser === feed.parser ? record : undefined
}

export function formatRecord({ data, failure, ...source }: FeedRecord): string {
  const record = {
    ...source,
    data: data && { ...data, updated_at: new Date(data.updated_at).toISOString() },
    failure: failure && { ...failure, at: new Date(failure.at).toISOString() },
  }
  return `${JSON.stringify(record, null, 2)}\n`
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
