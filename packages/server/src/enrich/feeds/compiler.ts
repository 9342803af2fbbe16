import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import type { Baseline, CompiledFeed } from './compile-feed.ts'
import type { CompileAnswer, CompileRequest } from './compile-worker.ts'
import type { Feed } from './feed.ts'
import { MalformedFeed } from './parsers/feed-parser.ts'

export interface Compiler {
  /**
   * Runs `compileFeed` in a worker thread. One call at a time.
   * @throws MalformedFeed
   */
  compile(feed: Feed, content: Uint8Array, baseline?: Baseline): Promise<CompiledFeed>
  close(): Promise<void>
}

/** More than any list needs. Hostile content ends the worker, not the server. */
const MEMORY_MAX_MB = 512

/** Starts the worker with the first feed and keeps it until `close`, after which the next feed starts another. */
export function openCompiler(): Compiler {
  let worker: Worker | undefined
  const start = () =>
    new Worker(new URL('./compile-worker.ts', import.meta.url), {
      resourceLimits: { maxOldGenerationSizeMb: MEMORY_MAX_MB },
    })

  return {
    async compile(feed, content, baseline) {
      worker ??= start()
      const answered = answerOf(worker)
      worker.postMessage({ feed, content, baseline } satisfies CompileRequest)
      const answer = await answered
      if ('reason' in answer) throw new MalformedFeed(answer.reason)
      if ('ended' in answer) {
        worker = undefined
        throw new MalformedFeed(`could not be read: ${answer.ended}`)
      }
      return answer.compiled
    },
    async close() {
      await worker?.terminate()
      worker = undefined
    },
  }
}

/** The next answer, or the reason why the worker ended before it. */
async function answerOf(worker: Worker): Promise<CompileAnswer | { ended: string }> {
  const settled = new AbortController()
  const { signal } = settled
  try {
    return await Promise.race([
      once(worker, 'message', { signal }).then(([answer]): CompileAnswer => answer),
      once(worker, 'exit', { signal }).then(() => ({ ended: 'stopped' })),
    ])
  } catch (error) {
    return { ended: error instanceof Error ? error.message : String(error) }
  } finally {
    settled.abort()
  }
}
