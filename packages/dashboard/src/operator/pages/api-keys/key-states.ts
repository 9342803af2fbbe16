import type { ApiKey } from '@inkling/contract/account'

/** Time enough to give a backend another key. */
const SOON_MS = 14 * 24 * 3_600_000

/** A monthly job still counts as a use. */
const IDLE_MS = 32 * 24 * 3_600_000

export type KeyState = 'expired' | 'expires_soon' | 'never_used' | 'idle' | 'in_use'

/** What there is to know of a key at a time, what matters most first. */
export function keyStates(
  { expires_at, used_at }: Pick<ApiKey, 'expires_at' | 'used_at'>,
  nowMs: number,
): KeyState[] {
  const leftMs = expires_at === null ? Infinity : Date.parse(expires_at) - nowMs
  if (leftMs <= 0) return ['expired']
  return [...(leftMs <= SOON_MS ? (['expires_soon'] as const) : []), lastUse(used_at, nowMs)]
}

function lastUse(usedAt: ApiKey['used_at'], nowMs: number): KeyState {
  if (usedAt === null) return 'never_used'
  return nowMs - Date.parse(usedAt) > IDLE_MS ? 'idle' : 'in_use'
}
