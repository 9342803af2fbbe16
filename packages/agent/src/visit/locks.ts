const WAIT_MS = 1_000

/**
 * Takes a Web Lock (https://w3c.github.io/web-locks/) and returns the function that releases it. Returns undefined where
 * there are no locks: on insecure origins, in sandboxed frames, in Safari before 15.4; and after a second, because a
 * page must not hang when another tab does.
 */
export async function holdLock(name: string, mode: LockMode): Promise<(() => void) | undefined> {
  const waiting = new AbortController()
  const timer = setTimeout(() => waiting.abort(), WAIT_MS)
  try {
    return await new Promise<() => void>((resolve, reject) => {
      const held = () => new Promise<void>((release) => resolve(release))
      navigator.locks.request(name, { mode, signal: waiting.signal }, held).catch(reject)
    })
  } catch {
    return undefined
  } finally {
    clearTimeout(timer)
  }
}

/**
 * Browsers pass writes to localStorage between processes with a delay. The lock is kept for that long, so that the next
 * tab sees them.
 */
const SETTLE_MS = 50

let lastTurn: Promise<unknown> = Promise.resolve()

/**
 * Runs one piece of work at a time: in the order of the calls within a page and, where the browser has locks, in one
 * page of the origin at a time.
 */
export function inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
  const turn = lastTurn.then(async () => {
    const release = await holdLock('inkling:turn', 'exclusive')
    try {
      return await work()
    } finally {
      if (release) setTimeout(release, SETTLE_MS)
    }
  })
  lastTurn = turn.catch(() => undefined)
  return turn
}
