import { type DetectionFlag, namesAccount, namesOne } from '@inkling/contract'
import {
  type AccountRule,
  type Action,
  DEFAULT_ACTIONS,
  type Finding,
  freshnessMsOf,
  type Policy,
} from './policy.ts'
import type { Verdict } from './verdict.ts'

/** A finding and the action it led to. */
export type Reason = { code: Finding; action: Action } | { code: 'flag'; flag: DetectionFlag; action: Action }

export interface Decision {
  /** The strictest action among the reasons; `allow` without reasons. */
  action: Action
  /** For your code and your log. Do not show them to the visitor. */
  reasons: readonly Reason[]
}

const SEVERITY: Record<Action, number> = { allow: 0, challenge: 1, deny: 2 }
/** How far the clocks of your processes may differ. */
const CLAIM_MARGIN_MS = 60_000

/**
 * Decides on a request by the verdict on its identification. Unless the answer is `deny`, this uses up the
 * request ID: identify again for the next protected action.
 *
 * @example
 * const verdict = await inkling.verdict(form.request_id, { timeoutMs: 3_000 })
 * const { action, reasons } = await decide(verdict, {
 *   replayStore,
 *   flags: { browser_automation: 'deny' },
 *   accounts: { max: 2, of: inkling.history.accountsOfDevice, asking: userHid },
 * })
 *
 * @throws what `replayStore` and `accounts.of` throw. Whether to let people in during an outage is up to you
 */
export async function decide(verdict: Verdict, policy: Policy = {}): Promise<Decision> {
  const { replayStore, accounts, now = Date.now } = policy
  const found = (code: Finding): Reason => ({ code, action: policy.actions?.[code] ?? DEFAULT_ACTIONS[code] })
  const freshnessMs = freshnessMsOf(policy)
  const reasons = statusReasons(verdict, policy, found)
  if (verdict.status !== 'scored' && verdict.status !== 'rate_limited') return decision(reasons)

  const ageMs = now() - (verdict.observedAtMs ?? 0)
  if (ageMs > freshnessMs) reasons.push(found('stale'))
  // A denied request needs no look-ups and does not use up its ID.
  if (accounts && verdict.status === 'scored' && !isDenied(reasons))
    if (await tooManyAccounts(verdict.deviceId, accounts)) reasons.push(found('too_many_accounts'))
  if (replayStore && namesOne(verdict.requestId) && !isDenied(reasons)) {
    // A claim must last as long as its identification is fresh, also when the server's clock is ahead.
    const ttlMs = freshnessMs - Math.min(0, ageMs) + CLAIM_MARGIN_MS
    const first = await replayStore.claim(`use:${verdict.requestId.toLowerCase()}`, ttlMs)
    if (!first) reasons.push(found('reused'))
  }
  return decision(reasons)
}

function statusReasons(verdict: Verdict, policy: Policy, found: (code: Finding) => Reason): Reason[] {
  if (verdict.status !== 'scored') return [found(verdict.status)]
  const raised = Object.entries(policy.flags ?? {}) as [DetectionFlag, Action][]
  return [
    ...(verdict.band === 'trusted' ? [] : [found(verdict.band)]),
    ...raised
      .filter(([flag]) => verdict.flags[flag])
      .map(([flag, action]): Reason => ({ code: 'flag', flag, action })),
  ]
}

const isDenied = (reasons: readonly Reason[]): boolean => reasons.some(({ action }) => action === 'deny')

function decision(reasons: readonly Reason[]): Decision {
  const worst = reasons.reduce((most, { action }) => Math.max(most, SEVERITY[action]), 0)
  const [action = 'allow'] = (['allow', 'challenge', 'deny'] as const).filter(
    (name) => SEVERITY[name] === worst,
  )
  return { action, reasons }
}

/** Whether a device has too many accounts. Stops reading at the first one over the limit. */
export async function tooManyAccounts(
  deviceId: string | undefined,
  { max, of, asking }: AccountRule,
): Promise<boolean> {
  // Without a device ID there is nothing to count.
  if (deviceId === undefined) return false
  const accounts = new Set(namesAccount(asking) ? [asking] : [])
  if (accounts.size > max) return true
  for await (const account of await of(deviceId)) {
    if (namesAccount(account)) accounts.add(account)
    if (accounts.size > max) return true
  }
  return false
}
