import type { ReadingValues } from '@inkling/contract'

export const frame = (): ReadingValues['frame'] => ({
  nested: window.self !== window.top,
  cross_origin: isCrossOrigin(),
})

function isCrossOrigin(): boolean {
  try {
    // Throws when the top page is of another origin; null only where the window has been detached.
    return window.top?.location.href === undefined
  } catch {
    return true
  }
}
