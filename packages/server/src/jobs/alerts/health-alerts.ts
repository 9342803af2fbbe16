import type { AlertCondition, HealthCheck } from '@inkling/contract/account'
import { MINUTE_MS } from '../../lib/durations.ts'
import { alertRuleStore, conditionOf } from '../../store/alerts/alert-rules.ts'
import { recordAlertEvents } from '../../store/alerts/record-events.ts'
import { domainStore } from '../../store/domains/domains.ts'
import type { Store } from '../../store/store.ts'

/**
 * A check that was bad counts as the same badness until it was fine for so long. Some swing around a threshold, and
 * with several nodes each looks at its own machine in turn.
 */
const FINE_MS = 15 * MINUTE_MS
/** Later than this a check was bad by a clock that was ahead. Those of nodes differ by less. */
const AHEAD_MS = MINUTE_MS

interface HealthAlertOptions {
  nowMs: number
  /** The checks of the page on the system's health, for who may know of these domains. */
  readHealth(): Promise<(sees: (domain: string) => boolean) => readonly HealthCheck[]>
}

/**
 * Tells the alert rules of health checks that turned bad since the last look, the first of which tells of none. A rule
 * learns of its own domain and of the machine: who reads its alerts need not know of other domains.
 */
export async function recordHealthAlerts(
  { jobReads, writes }: Pick<Store, 'jobReads' | 'writes'>,
  { nowMs, readHealth }: HealthAlertOptions,
): Promise<void> {
  const rules = await alertRuleStore(jobReads).watching('health')
  if (rules.length === 0) return
  const checksFor = await readHealth()
  const domains = new Map((await domainStore(jobReads).list()).map(({ id, name }) => [id, name]))
  for (const { domain_id, id } of rules) {
    const checks = checksFor((domain) => domain === domains.get(domain_id))
    await writes.transaction().execute(async (transaction) => {
      const rule = await alertRuleStore(transaction).find(domain_id, id)
      const when = rule && conditionOf(rule)
      if (!rule || rule.enabled === 0 || when?.source !== 'health') return
      const bad = checks.filter((check) => isBad(when, check))
      const before = rule.bad_checks === null ? undefined : readBad(rule.bad_checks, nowMs)
      const turned = before ? bad.filter(({ check }) => !before.has(check)) : []
      const after = new Map([...(before ?? [])].filter(([, lastMs]) => lastMs > nowMs - FINE_MS))
      for (const { check } of bad) after.set(check, nowMs)
      const bad_checks = JSON.stringify([...after])
      if (bad_checks !== rule.bad_checks)
        await alertRuleStore(transaction).change(domain_id, id, { bad_checks })
      const events = turned.map(({ check, state, detail }) => ({
        key: `health:${check}:${nowMs}`,
        atMs: nowMs,
        text: `${check} (${state}): ${detail}`,
        path: '/health',
      }))
      await recordAlertEvents(transaction, rule, events, nowMs)
    })
  }
}

const isBad = (
  { state: least }: Extract<AlertCondition, { source: 'health' }>,
  { state }: HealthCheck,
): boolean => state === 'problem' || (state === 'warn' && least === 'warn')

/** Names of checks with the time when they were last bad. One that lies ahead would silence its check until then. */
const readBad = (json: string, nowMs: number): Map<string, number> =>
  new Map((JSON.parse(json) as [string, number][]).filter(([, lastMs]) => lastMs <= nowMs + AHEAD_MS))
