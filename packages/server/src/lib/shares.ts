import { AppError } from './errors.ts'

/** Of one key; a client that sends more than this at once gets an error instead of a wait. */
const WAITING_MAX = 256

/**
 * Runs work of many keys, of each key at most `max` at once and the rest in order.
 * @returns a function that throws AppError `INK_RATE_LIMITED` when too much of a key waits
 */
export function createShares(
  max: number,
  waitingMax = WAITING_MAX,
): <Result>(key: string, work: () => Promise<Result>) => Promise<Result> {
  /** What waits, by the keys that have work running. */
  const busy = new Map<string, { running: number; waiting: (() => void)[] }>()

  function end(key: string): void {
    const share = busy.get(key)
    if (!share) return
    const next = share.waiting.shift()
    if (next) next()
    else share.running -= 1
    if (share.running === 0) busy.delete(key)
  }

  return async (key, work) => {
    const share = busy.get(key) ?? { running: 0, waiting: [] }
    busy.set(key, share)
    if (share.running < max) share.running += 1
    else if (share.waiting.length >= waitingMax)
      throw new AppError('INK_RATE_LIMITED', undefined, { retryAfterSeconds: 1 })
    else await new Promise<void>((resolve) => share.waiting.push(resolve))
    try {
      return await work()
    } finally {
      end(key)
    }
  }
}
