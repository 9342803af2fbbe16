import type { DetectionFlag } from '@inkling/contract'
import { InklingError } from './inkling-error.ts'
import type { ReplayStore } from './replay-store.ts'

/** What to do with the request. `challenge` asks for something more, such as a code by mail. */
export type Action = 'allow' | 'challenge' | 'deny'

/** The action for each finding, unless the policy has another. */
export const DEFAULT_ACTIONS = {
  /** There is no identification. A content blocker is enough to cause that. */
  unverified: 'challenge',
  /** There is no row yet. */
  not_scored_yet: 'challenge',
  /** The address sent too much. Innocent visitors may share it. */
  rate_limited: 'challenge',
  suspicious: 'challenge',
  dangerous: 'deny',
  /** The identification is too old, or its age is unknown. */
  stale: 'challenge',
  /** The identification was used for another request. */
  reused: 'deny',
  /** The device has more accounts than allowed. Families share devices. */
  too_many_accounts: 'challenge',
} as const satisfies Record<string, Action>

export type Finding = keyof typeof DEFAULT_ACTIONS

/** Looks up the accounts of a device, in your database or in History. */
export type AccountsOf = (
  deviceId: string,
) => AsyncIterable<string> | Iterable<string> | Promise<Iterable<string>>

export interface AccountRule {
  /** How many accounts a device may have, with the asking one. */
  max: number
  /** For example `inkling.history.accountsOfDevice`. Values that name no account are not counted. */
  of: AccountsOf
  /** The `user_hid` that is asking, for example of the account to be created. */
  asking?: string
}

export interface Policy {
  /** How old an identification may be, in milliseconds. Default 5 minutes. */
  freshnessMs?: number
  /** Actions that replace the defaults. */
  actions?: Partial<Record<Finding, Action>>
  /** Actions for raised flags, whatever the score. By default flags count only through the score. */
  flags?: Partial<Record<DetectionFlag, Action>>
  /** Remembers used request IDs. Without it an identification can be used any number of times. */
  replayStore?: ReplayStore
  accounts?: AccountRule
  /** Time, for tests. */
  now?: () => number
}

const FRESHNESS_MS = 5 * 60 * 1_000

/** How long an identification is fresh under this policy, in milliseconds. It must end, since claims last as long. */
export function freshnessMsOf({ freshnessMs = FRESHNESS_MS }: Policy): number {
  if (Number.isFinite(freshnessMs) && freshnessMs > 0) return freshnessMs
  throw new InklingError('invalid_argument', 'freshnessMs must be a positive number of milliseconds')
}
