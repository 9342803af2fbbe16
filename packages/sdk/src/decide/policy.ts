import type { DetectionFlag } from '@inkling/contract'
import { InklingError } from '../inkling-error.ts'
import type { ReplayStore } from '../replay/replay-store.ts'

/** What to do with the visitor's request: `challenge` asks for more, such as a code by mail. */
export type Action = 'allow' | 'challenge' | 'deny'

/** What each finding leads to, unless the policy says otherwise. */
export const DEFAULT_ACTIONS = {
  /** No identification, or none that can be looked for. A blocker in the browser is enough for that. */
  unverified: 'challenge',
  /** No row so far. */
  not_scored_yet: 'challenge',
  /** The address sent too much; an innocent visitor may share it. */
  rate_limited: 'challenge',
  suspicious: 'challenge',
  dangerous: 'deny',
  /** The identification is older than the window, or does not say how old it is. */
  stale: 'challenge',
  /** The identification has authorized something before. */
  reused: 'deny',
  /** More accounts on the device than allowed; families share one. */
  too_many_accounts: 'challenge',
} as const satisfies Record<string, Action>

export type Finding = keyof typeof DEFAULT_ACTIONS

/** The accounts of a device, the caller's own or those that History has. */
export type AccountsOf = (
  deviceId: string,
) => AsyncIterable<string> | Iterable<string> | Promise<Iterable<string>>

export interface AccountRule {
  /** How many accounts one device may have, the one that is asking included. */
  max: number
  /** `inkling.history.accountsOfDevice` does. Values that name no account are left out by themselves. */
  of: AccountsOf
  /** The `user_hid` that is asking, such as of the account about to be created. */
  asking?: string
}

export interface Policy {
  /** How old an identification may be, in milliseconds. Default 5 minutes. */
  freshnessMs?: number
  /** Other actions than the defaults, by finding. */
  actions?: Partial<Record<Finding, Action>>
  /** What a raised flag leads to, whatever the score. Default: nothing, flags count by the score. */
  flags?: Partial<Record<DetectionFlag, Action>>
  /** Remembers used request IDs. Without one an identification can be used any number of times. */
  replayStore?: ReplayStore
  accounts?: AccountRule
  /** Time, for tests. */
  now?: () => number
}

const FRESHNESS_MS = 5 * 60 * 1_000

/** The window of a policy, in milliseconds. A window without end would keep claims forever. */
export function freshnessMsOf({ freshnessMs = FRESHNESS_MS }: Policy): number {
  if (Number.isFinite(freshnessMs) && freshnessMs > 0) return freshnessMs
  throw new InklingError('invalid_argument', 'freshnessMs must be a positive number of milliseconds')
}
