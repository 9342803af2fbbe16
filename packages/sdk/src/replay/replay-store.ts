/**
 * Remembers for a while what was used. All processes that decide must share one store, or an
 * identification can be used once in each of them.
 */
export interface ReplayStore {
  /**
   * True for exactly one caller until `ttlMs` milliseconds have passed, whoever asks at the same time.
   */
  claim(key: string, ttlMs: number): Promise<boolean>
  /** Makes a key free again, after what it was claimed for did not happen. */
  release(key: string): Promise<void>
}
