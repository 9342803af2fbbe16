import type { z } from 'zod'

/** An address or CIDR as the feed writes it, and the country it states (ISO 3166 code) where it states one. */
export interface Entry {
  range: string
  country?: string | undefined
}

/**
 * Reads a whole feed. Knows the format only: whether the ranges are addresses is checked by who takes them.
 * @throws MalformedFeed when the text is not of the format
 */
export type Parser = (text: string) => Iterable<Entry>

/** Content that is not what the feed promises; an operator reads the message. */
export class MalformedFeed extends Error {}

/** @throws MalformedFeed with the first thing that is wrong */
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
    throw new MalformedFeed(`no JSON: ${JSON.stringify(text.slice(0, 40))}`)
  }
}
