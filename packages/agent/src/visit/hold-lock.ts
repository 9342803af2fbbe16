const WAIT_MS = 1_000

/**
 * Takes a Web Lock and answers the function that gives it back, or undefined where there are no locks:
 * on insecure origins, in sandboxed frames, in Safari before 15.4. It waits no longer than a second, as
 * a page must not hang on what another tab does.
 */
export async function holdLock(name: string, mode: LockMode): Promise<(() => void) | undefined> {
  const withdrawal = new AbortController()
  const timer = setTimeout(() => withdrawal.abort(), WAIT_MS)
  try {
    return await new Promise<() => void>((resolve, reject) => {
      const held = () => new Promise<void>((release) => resolve(release))
      navigator.locks.request(name, { mode, signal: withdrawal.signal }, held).catch(reject)
    })
  } catch {
    return undefined
  } finally {
    clearTimeout(timer)
  }
}
