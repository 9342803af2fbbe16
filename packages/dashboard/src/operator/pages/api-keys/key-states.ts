import type { ApiKey } from '@inkling/contract/account'

/** Time enough to give a backend another key. */
const SOON_MS = 14 * 24 * 3_600_000

export type KeyState = 'expired' | 'expires_soon' | 'never_used' | 'in_use'

/** What there is to know of a key at a time, what matters most first. */
export function keyStates(
  { expires_at, used_at }: Pick<ApiKey, 'expires_at' | 'used_at'>,
  nowMs: number,
): KeyState[] {
  const leftMs = expires_at === null ? Infinity : Date.parse(expires_at) - nowMs
  if (leftMs <= 0) return ['expired']
  return [
    ...(leftMs <= SOON_MS ? (['expires_soon'] as const) : []),
    used_at === null ? 'never_used' : 'in_use',
  ]
}
