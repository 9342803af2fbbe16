import type { z } from 'zod'

/** An address or CIDR in the feed's notation, and its country (ISO 3166 code) if the feed has one. */
export interface Entry {
  range: string
  country?: string | undefined
}

/**
 * Parses a whole feed into entries. Checks the format only; `compileFeed` checks the ranges.
 * @throws MalformedFeed when the text is not in the format
 */
export type Parser = (text: string) => Iterable<Entry>

/** Invalid feed content. The message is for the operator. */
export class MalformedFeed extends Error {}

/** @throws MalformedFeed with the first problem */
export function readJson<Schema extends z.ZodType>(text: string, schema: Schema): z.output<Schema> {
  const result = schema.safeParse(parse(text))
  if (result.success) return result.data
  const [issue] = result.error.issues
  throw new MalformedFeed(`${issue?.path.join('.') || 'the document'}: ${issue?.message}`)
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new MalformedFeed(`not JSON: ${JSON.stringify(text.slice(0, 40))}`)
  }
}
