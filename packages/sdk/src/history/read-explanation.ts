import type { Explanation } from '@inkling/contract'
import type { JsonAnswer } from '../http/get-json.ts'
import { InklingError } from '../inkling-error.ts'

/** An unknown identification is answered in JSON, an unknown route in plain text. */
export function readExplanation({ status, json }: JsonAnswer): Explanation | undefined {
  if (status === 404 && json !== undefined) return undefined
  if (status === 404) throw new InklingError('not_found', 'no explanations at this historyUrl', { status })
  if (!isExplanation(json)) throw new InklingError('unexpected_response', 'not an explanation', { status })
  return json
}

function isExplanation(json: unknown): json is Explanation {
  return (
    typeof json === 'object' &&
    json !== null &&
    'entries' in json &&
    Array.isArray(json.entries) &&
    'clear' in json &&
    Array.isArray(json.clear) &&
    'unknown' in json &&
    Array.isArray(json.unknown)
  )
}
