import { InklingError, type InklingErrorCode } from '@inkling/sdk'
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js'
import { bounded } from './bounded.ts'

/** Characters of one answer; a page of rows and an explanation stay far below. */
const ANSWER_MAX = 100_000

/** What can be done about it; the messages of the other codes say enough. */
const ADVICE: Partial<Record<InklingErrorCode, string>> = {
  unauthorized: 'INKLING_API_KEY must be the private API key (sec_…) of a domain that is switched on',
  not_found: 'HISTORY_URL must be the root of the History API, without /api',
  network: 'nothing answers at HISTORY_URL',
  unexpected_response: 'HISTORY_URL must be the root of the History API, without /api',
  rate_limited: 'The domain asks more often than it may; try again in a few seconds',
}

/** What a tool found, as one JSON text, or why it found nothing, in words. It never throws. */
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
