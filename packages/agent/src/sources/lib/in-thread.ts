import { Unsupported } from '../../collect/source.ts'

/** A worker that never answers is stopped then. The collector gives up on it earlier. */
const GIVE_UP_MS = 10_000

/** Whether the page let the first worker start. */
let mayStart: Promise<boolean> | undefined

/**
 * Runs a program in a worker of its own and returns what it posts. Where a page's Content-Security-Policy refuses blob
 * workers, Chromium reports a violation. That cannot be known beforehand, so after the first refusal no other is tried.
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
      limit = window.setTimeout(() => reject(new Error()), GIVE_UP_MS)
      try {
        // A policy's refusal may throw here or fire the error event.
        thread = new Worker(address)
      } catch {
        throw new Unsupported()
      }
      thread.onmessage = ({ data }: MessageEvent<Answer>) => resolve(data)
      thread.onerror = (event) => {
        event.preventDefault()
        // An error thrown in the worker has a message; one about not starting has none.
        reject(event.message ? new Error(event.message) : new Unsupported())
      }
    })
  } finally {
    clearTimeout(limit)
    thread?.terminate()
    URL.revokeObjectURL(address)
  }
}
