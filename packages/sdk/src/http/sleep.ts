import { InklingError } from '../inkling-error.ts'

/** Waits, and ends early with an `aborted` error when the signal says so. */
export type Sleep = (ms: number, signal?: AbortSignal) => Promise<void>

export const realSleep: Sleep = (ms, signal) =>
  new Promise((resolve, reject) => {
    const abort = () => {
      clearTimeout(timer)
      reject(new InklingError('aborted', 'aborted by the caller', { cause: signal?.reason }))
    }
    if (signal?.aborted) {
      reject(new InklingError('aborted', 'aborted by the caller', { cause: signal.reason }))
      return
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', abort)
      resolve()
    }, ms)
    signal?.addEventListener('abort', abort, { once: true })
  })
