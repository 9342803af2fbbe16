import type { ReadingValues } from '@inkling/contract'
import { Unsupported } from '../collect/unsupported.ts'
import { realmFacts } from './lib/realm-facts.ts'

type Facts = ReadingValues['worker']

/** A thread that never answers is stopped then; the collector has given up on it before. */
const GIVE_UP_MS = 10_000

/** Safari before 17 has no OffscreenCanvas; the other facts still count. */
const PROGRAM = `let c=null;try{c=new OffscreenCanvas(1,1)}catch{}postMessage((${realmFacts})(self,c))`

/**
 * The same facts from a worker, where scripts that forge the page's facts seldom reach. A page whose
 * Content-Security-Policy refuses blob workers makes Chromium report that; it cannot be known before.
 */
export function worker(): Promise<Facts> {
  if (typeof Worker === 'undefined') throw new Unsupported()

  const address = URL.createObjectURL(new Blob([PROGRAM], { type: 'text/javascript' }))
  const release = (): void => URL.revokeObjectURL(address)
  try {
    // A policy that refuses may throw here or fire the error event.
    const thread = new Worker(address)
    let limit: number | undefined
    return new Promise<Facts>((resolve, reject) => {
      limit = window.setTimeout(() => reject(new Error('no answer')), GIVE_UP_MS)
      thread.onmessage = ({ data }: MessageEvent<Facts>) => resolve(data)
      thread.onerror = (event) => {
        event.preventDefault()
        // Only what the thread itself throws has a message; one that could not start has none.
        reject(event.message ? new Error(event.message) : new Unsupported())
      }
    }).finally(() => {
      clearTimeout(limit)
      thread.terminate()
      release()
    })
  } catch {
    release()
    throw new Unsupported()
  }
}
