import { randomUUID } from 'node:crypto'
import type { AlertChannelSettings, AlertCondition } from '@inkling/contract/account'
import { onTestFinished } from 'vitest'
import { createAlertSender } from '../src/deliver/alerts/alert-sender.ts'
import { sendDueAlerts } from '../src/deliver/alerts/send-due-alerts.ts'
import { createSafeFetch } from '../src/deliver/safe-fetch.ts'
import { recordDecisionAlerts } from '../src/jobs/alerts/decision-alerts.ts'
import { createSecretBox } from '../src/lib/secret-box.ts'
import { uuidBytesOrNil } from '../src/lib/uuid.ts'
import { alertChannelStore, alertRuleStore } from '../src/store/alerts/alert-rules.ts'
import { endAlerts } from '../src/store/alerts/record-events.ts'
import type { Store } from '../src/store/store.ts'
import { temporaryStore } from './temporary-store.ts'
import { openStoreIn } from './test-database.ts'

const SECRETS = createSecretBox(Buffer.alloc(32, 7))
export const DASHBOARD_URL = 'https://inkling.example/dashboard'

interface SiteOptions {
  smtpUrl?: string
  pagerDutyUrl?: string
}

/** A process that collects events and sends alerts, as a server does. */
function node(store: Store, { smtpUrl, pagerDutyUrl = '' }: SiteOptions, now: () => number) {
  const fetch = createSafeFetch({ allowPrivate: true })
  const mail = smtpUrl === undefined ? undefined : { smtpUrl, from: 'Inkling <alerts@inkling.example>' }
  const pagerDutyUrls = { us: pagerDutyUrl, eu: pagerDutyUrl }
  const sender = createAlertSender({ fetch, serviceName: 'Svc', mail, pagerDutyUrls, now })
  onTestFinished(async () => {
    sender.close()
    await fetch.close()
  })
  const warn = (message: string, error: unknown) => {
    throw new Error(message, { cause: error })
  }
  return {
    sender,
    /** Looks at decisions, and ends alerts whose time is over. */
    async collect() {
      await recordDecisionAlerts(store, { nowMs: now(), warn })
      await endAlerts(store.writes, store.jobReads, now())
    },
    send: () => sendDueAlerts({ store, secrets: SECRETS, sender, dashboardUrl: DASHBOARD_URL, now, warn }),
  }
}

/** A domain with its own clock, a process that sends its alerts, and others to be started. */
export async function alertSite(options: SiteOptions = {}) {
  const { store, domainId, directory } = await temporaryStore()
  const clock = { nowMs: Date.UTC(2026, 10, 21, 12) }
  const now = () => clock.nowMs
  const first = node(store, options, now)
  return {
    ...first,
    store,
    domainId,
    clock,
    /** Another process on the same database: a second node, or this one after a restart. */
    async otherNode() {
      const other = await openStoreIn(directory)
      onTestFinished(() => other.close())
      return node(other, options, now)
    },
    async channel(settings: AlertChannelSettings): Promise<number> {
      const row = await store.writes.transaction().execute((transaction) =>
        alertChannelStore(transaction).add({
          ...{ domain_id: domainId, name: settings.kind, kind: settings.kind, target: '', signed: 0 },
          ...{ sealed_settings: SECRETS.seal(JSON.stringify(settings)), created_at: now() },
        }),
      )
      return row?.id ?? 0
    },
    async rule(when: AlertCondition, channels: readonly number[], name = 'Denied'): Promise<number> {
      const row = await store.writes.transaction().execute((transaction) =>
        alertRuleStore(transaction).add({
          ...{ domain_id: domainId, name, source: when.source, condition: JSON.stringify(when) },
          ...{ channels: JSON.stringify(channels), group_minutes: 60, enabled: 1, muted_until: null },
          ...{ watched_since: now(), bad_checks: null, created_at: now() },
        }),
      )
      return row?.id ?? 0
    },
    changeRule: (id: number, change: { enabled?: number; muted_until?: number | null }) =>
      store.writes
        .transaction()
        .execute((transaction) => alertRuleStore(transaction).change(domainId, id, change)),
    /** Stores a decision. @returns its request ID */
    async decided(action: 'allow' | 'deny', account: string | null = null, rule?: number): Promise<string> {
      const requestId = randomUUID()
      const rules = rule === undefined ? [] : [{ rule }]
      await store.writes
        .insertInto('decisions')
        .values({
          ...{
            domain_id: domainId,
            request_id: uuidBytesOrNil(requestId),
            purpose: 'signup',
            action,
            account,
          },
          ...{ idempotency_key: null, asked: new Uint8Array(32), client_address: null, question: '{}' },
          ...{ answer: JSON.stringify({ rules }), ver: 1, decided_at: now(), stale: null, later: null },
        })
        .execute()
      return requestId
    },
    alerts: () => store.reads.selectFrom('alerts').selectAll().orderBy('id').execute(),
    messages: () => store.reads.selectFrom('alert_deliveries').selectAll().orderBy('id').execute(),
    events: () => store.reads.selectFrom('alert_events').selectAll().orderBy('position').execute(),
  }
}
