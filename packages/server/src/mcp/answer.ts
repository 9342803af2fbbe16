import { InklingError, type InklingErrorCode } from '@inkling/sdk'
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js'

/** The most characters in one answer. A page of rows and an explanation stay far below. */
const ANSWER_MAX = 100_000

/** What to do about an error. The messages of the other codes say enough. */
const ADVICE: Partial<Record<InklingErrorCode, string>> = {
  unauthorized: 'INKLING_API_KEY must be the Private API Key (sec_…) of an enabled domain',
  not_found: 'HISTORY_URL must be the root of the History API, without /api',
  network: 'nothing answers at HISTORY_URL',
  unexpected_response: 'HISTORY_URL must be the root of the History API, without /api',
  rate_limited: 'The domain is over its request limit; try again in a few seconds',
}

/** The result of a tool as one JSON text, or its error in words. Never rejects. */
export async function answer(work: () => Promise<object>): Promise<CallToolResult> {
  try {
    const text = JSON.stringify(bounded(await work()))
    if (text.length > ANSWER_MAX) return failed('the answer is too long: ask for fewer rows')
    return { content: [{ type: 'text', text }] }
  } catch (error) {
    return failed(inWords(error))
  }
}

const failed = (text: string): CallToolResult => ({ isError: true, content: [{ type: 'text', text }] })

function inWords(error: unknown): string {
  if (!(error instanceof InklingError)) return 'failed for an unknown reason'
  const advice = ADVICE[error.code]
  return advice ? `${error.message}. ${advice}` : error.message
}

const TEXT_MAX = 200
const ITEMS_MAX = 50
const DEPTH_MAX = 8

/**
 * Cuts a value down to a size that fits a model's context. Visitors choose much of the text, so long texts and
 * lists are cut, and say so.
 */
function bounded(value: unknown, depth = 0): unknown {
  if (typeof value === 'string') return boundedText(value)
  if (typeof value !== 'object' || value === null) return value
  if (depth === DEPTH_MAX) return '…'
  if (Array.isArray(value)) {
    const items = value.slice(0, ITEMS_MAX).map((item) => bounded(item, depth + 1))
    return value.length > ITEMS_MAX ? [...items, left(value)] : items
  }
  const entries = Object.entries(value)
  return Object.fromEntries([
    ...entries.slice(0, ITEMS_MAX).map(([name, item]) => [boundedText(name), bounded(item, depth + 1)]),
    ...(entries.length > ITEMS_MAX ? [['…', left(entries)]] : []),
  ])
}

const boundedText = (text: string): string => (text.length > TEXT_MAX ? `${text.slice(0, TEXT_MAX)}…` : text)

const left = ({ length }: readonly unknown[]): string => `… ${length - ITEMS_MAX} more`
