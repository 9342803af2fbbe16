/** Whether the page is framed by one of another origin. */
export function inForeignFrame(): boolean {
  try {
    // Throws when the top page is of another origin; null only where the window has been detached.
    return window.top?.location.href === undefined
  } catch {
    return true
  }
}
