import { parentPort } from 'node:worker_threads'
import { type Baseline, type CompiledFeed, compileFeed } from './compile-feed.ts'
import type { Feed } from './feed.ts'
import { MalformedFeed } from './parsers/feed-parser.ts'

/** One feed to compile. The worker answers requests in order. */
export interface CompileRequest {
  feed: Feed
  content: Uint8Array
  baseline: Baseline | undefined
}

export type CompileAnswer = { compiled: CompiledFeed } | { reason: string }

function answer({ feed, content, baseline }: CompileRequest): CompileAnswer {
  try {
    return { compiled: compileFeed(feed, content, baseline) }
  } catch (error) {
    if (error instanceof MalformedFeed) return { reason: error.message }
    throw error
  }
}

parentPort?.on('message', (request: CompileRequest) => {
  const result = answer(request)
  parentPort?.postMessage(result, 'compiled' in result ? [result.compiled.bytes.buffer] : [])
})
