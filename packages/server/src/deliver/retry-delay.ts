const FIRST_MS = 5_000
const FACTOR = 2

/**
 * Wait before the next send, doubling from five seconds: eight sends fit into the fifteen minutes that the
 * contract allows (5 + 10 + 20 + 40 + 80 + 160 + 320 s).
 * @param attemptsBefore sends before the one that has just failed
 */
export const retryDelayMs = (attemptsBefore: number): number => FIRST_MS * FACTOR ** attemptsBefore
