const FIRST_MS = 1_000
const FACTOR = 2.5

/**
 * Wait before the next send. Eight sends, the most the contract knows, fit well into its fifteen minutes:
 * 1 + 2.5 + 6.25 + … + 244 s is under seven.
 * @param attemptsBefore sends before the one that has just failed
 */
export const retryDelayMs = (attemptsBefore: number): number =>
  Math.round(FIRST_MS * FACTOR ** attemptsBefore)
