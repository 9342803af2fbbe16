import type { DetectionFlag } from '@inkling/contract'
import { namesOne } from '../identifies-nobody.ts'
import type { Verdict } from '../verdict/verdict.ts'
import { type Action, DEFAULT_ACTIONS, type Finding, freshnessMsOf, type Policy } from './policy.ts'
import { tooManyAccounts } from './too-many-accounts.ts'

/** One finding and what it led to. */
export type Reason = { code: Finding; action: Action } | { code: 'flag'; flag: DetectionFlag; action: Action }

export interface Decision {
  /** The strictest action of the reasons; `allow` without any. */
  action: Action
  /** For your log and your code, never for the visitor. */
  reasons: readonly Reason[]
}

const SEVERITY: Record<Action, number> = { allow: 0, challenge: 1, deny: 2 }
/** By how much the clocks of the processes that decide may differ. */
const CLAIM_MARGIN_MS = 60_000

/**
 * What to do with a request, given the verdict on the identification that came with it. Unless it is
 * denied, the request ID is used up by this call: for another protected action, identify again.
 *
 * @example
 * const verdict = await inkling.verdict(form.request_id, { timeoutMs: 3_000 })
 * const { action, reasons } = await decide(verdict, {
 *   replayStore,
 *   flags: { browser_automation: 'deny' },
 *   accounts: { max: 2, of: inkling.history.accountsOfDevice, asking: userHid },
 * })
 *
 * @throws whatever `replayStore` and `accounts.of` throw: what cannot be looked up is not decided here
 */
export async function decide(verdict: Verdict, policy: Policy = {}): Promise<Decision> {
  const { replayStore, accounts, now = Date.now } = policy
  const found = (code: Finding): Reason => ({ code, action: policy.actions?.[code] ?? DEFAULT_ACTIONS[code] })
  const freshnessMs = freshnessMsOf(policy)
  const reasons = statusReasons(verdict, policy, found)
  if (verdict.status !== 'scored' && verdict.status !== 'rate_limited') return decision(reasons)

  const ageMs = now() - (verdict.observedAtMs ?? 0)
  if (ageMs > freshnessMs) reasons.push(found('stale'))
  // What is denied anyway needs no look-ups, and authorizes nothing that could be repeated.
  if (accounts && verdict.status === 'scored' && !isDenied(reasons))
    if (await tooManyAccounts(verdict.deviceId, accounts)) reasons.push(found('too_many_accounts'))
  if (replayStore && namesOne(verdict.requestId) && !isDenied(reasons)) {
    // A claim must outlive the freshness of its identification, whose time may lie ahead of this clock.
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
