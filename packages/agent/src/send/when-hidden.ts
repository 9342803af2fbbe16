export interface Hiding<Value> {
  happened: Promise<Value>
  stopWatching(): void
}

/**
 * Resolves with what `take` gives in the moment that the page hides. On phones that is the last thing
 * a page hears; `pagehide` is for browsers that navigate away without saying hidden before.
 */
export function whenHidden<Value>(take: () => Value): Hiding<Value> {
  const listeners = new AbortController()
  const { signal } = listeners
  const happened = new Promise<Value>((resolve) => {
    const onVisibility = () => {
      if (document.visibilityState === 'hidden') resolve(take())
    }
    document.addEventListener('visibilitychange', onVisibility, { signal })
    addEventListener('pagehide', () => resolve(take()), { signal })
  })
  return { happened, stopWatching: () => listeners.abort() }
}
