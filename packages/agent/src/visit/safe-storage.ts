type Area = 'localStorage' | 'sessionStorage'

/**
 * Holds only what the browser refused to store, so that a page without storage works until it is left. What was stored
 * is not copied here, because a visitor who clears it while the page is open must not get it back.
 */
const memory = new Map<string, string>()

/** Where storage is blocked, as in a sandboxed frame, even `window.localStorage` throws. */
export function readItem(area: Area, key: string): string | null {
  const kept = memory.get(area + key)
  if (kept !== undefined) return kept
  try {
    return window[area].getItem(key)
  } catch {
    return null
  }
}

export function writeItem(area: Area, key: string, text: string): void {
  try {
    window[area].setItem(key, text)
    memory.delete(area + key)
  } catch {
    memory.set(area + key, text)
  }
}
