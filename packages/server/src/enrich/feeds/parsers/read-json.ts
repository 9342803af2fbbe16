import type { z } from 'zod'
import { MalformedFeed } from '../malformed-feed.ts'

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
