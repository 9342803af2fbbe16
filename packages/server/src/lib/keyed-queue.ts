/** Runs work with a common key one after the other, all other work side by side. */
export function createKeyedQueue() {
  const last = new Map<string, Promise<void>>()

  return async <Result>(keys: readonly string[], work: () => Promise<Result>): Promise<Result> => {
    const before = keys.flatMap((key) => last.get(key) ?? [])
    const done = Promise.withResolvers<void>()
    // All places at once, so that two with the same keys never wait for each other.
    for (const key of keys) last.set(key, done.promise)
    try {
      if (before.length > 0) await Promise.all(before)
      return await work()
    } finally {
      for (const key of keys) if (last.get(key) === done.promise) last.delete(key)
      done.resolve()
    }
  }
}
