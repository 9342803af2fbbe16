import { Unsupported } from '../../collect/unsupported.ts'

/** A thread that never answers is stopped then; the collector has given up on it before. */
const GIVE_UP_MS = 10_000

/** Whether the page let the first thread start. */
let mayStart: Promise<boolean> | undefined

/**
 * What a program posts from a worker of its own. A page whose Content-Security-Policy refuses blob workers makes
 * Chromium report that; it cannot be known before, so that after a first refusal nobody tries again.
 */
export async function inThread<Answer>(program: string): Promise<Answer> {
  if (mayStart && !(await mayStart)) throw new Unsupported()
  const answer = start<Answer>(program)
  mayStart ??= answer.then(
    () => true,
    (error: unknown) => !(error instanceof Unsupported),
  )
  return answer
}

async function start<Answer>(program: string): Promise<Answer> {
  if (typeof Worker === 'undefined') throw new Unsupported()

  const address = URL.createObjectURL(new Blob([program], { type: 'text/javascript' }))
  let thread: Worker | undefined
  let limit: number | undefined
  try {
    return await new Promise<Answer>((resolve, reject) => {
      limit = window.setTimeout(() => reject(new Error('no answer')), GIVE_UP_MS)
      try {
        // A policy that refuses may throw here or fire the error event.
        thread = new Worker(address)
      } catch {
        throw new Unsupported()
      }
      thread.onmessage = ({ data }: MessageEvent<Answer>) => resolve(data)
      thread.onerror = (event) => {
        event.preventDefault()
        // Only what the thread itself throws has a message; one that could not start has none.
        reject(event.message ? new Error(event.message) : new Unsupported())
      }
    })
  } finally {
    clearTimeout(limit)
    thread?.terminate()
    URL.revokeObjectURL(address)
  }
}
