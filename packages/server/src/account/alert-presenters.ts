import { presentTime } from '@inkling/contract'
import type {
  Alert,
  AlertChannel,
  AlertChannelSettings,
  AlertDelivery,
  AlertRule,
} from '@inkling/contract/account'
import { keyTail } from '../auth/keys.ts'
import { type AlertDeliveryRow, alertDeliveryStore, alertStore } from '../store/alerts/alert-deliveries.ts'
import {
  type AlertChannelRow,
  type AlertRuleRow,
  alertChannelStore,
  alertRuleStore,
  channelsOf,
  conditionOf,
  isMuted,
} from '../store/alerts/alert-rules.ts'
import type { AlertRow } from '../store/alerts/record-events.ts'
import type { Store } from '../store/store.ts'

/** Events of an alert on the page. */
const LINES_MAX = 5

/** What people may see of a channel: nothing with which somebody could send to it. */
export function targetOf(settings: AlertChannelSettings): string {
  if (settings.kind === 'email') return settings.addresses.join(', ')
  if (settings.kind === 'pagerduty') return `…${keyTail(settings.routing_key)}`
  return new URL(settings.url).host
}

export const presentChannel = ({
  id,
  name,
  kind,
  target,
  signed,
  created_at,
}: AlertChannelRow): AlertChannel => ({
  id,
  name,
  kind,
  target,
  signed: signed === 1,
  created_at: presentTime(created_at),
})

export const presentAlertRule = (row: AlertRuleRow, nowMs: number): AlertRule => ({
  id: row.id,
  name: row.name,
  when: conditionOf(row),
  channels: channelsOf(row),
  group_minutes: row.group_minutes,
  enabled: row.enabled === 1,
  muted_until: row.muted_until !== null && isMuted(row, nowMs) ? presentTime(row.muted_until) : null,
  created_at: presentTime(row.created_at),
})

/** Alerts with what happened and what was sent. */
export async function presentAlerts(
  reads: Store['reads'],
  domainId: number,
  alerts: readonly AlertRow[],
): Promise<Alert[]> {
  const rules = new Map((await alertRuleStore(reads).list(domainId)).map((rule) => [rule.id, rule]))
  const channels = new Map((await alertChannelStore(reads).list(domainId)).map(({ id, name }) => [id, name]))
  const alertIds = alerts.map(({ id }) => id)
  const sends = Map.groupBy(
    await alertDeliveryStore(reads).ofAlerts(domainId, alertIds),
    ({ alert_id }) => alert_id,
  )
  return Promise.all(
    alerts.map(async (alert) => {
      const rule = rules.get(alert.rule_id)
      const events = await alertStore(reads).events(domainId, alert.id, LINES_MAX)
      return {
        id: alert.id,
        rule_id: alert.rule_id,
        rule: rule?.name ?? '',
        source: rule?.source ?? 'health',
        events: alert.events,
        first_at: presentTime(alert.first_at),
        last_at: presentTime(alert.last_at),
        open: alert.open === 1,
        muted: alert.muted === 1,
        lines: events.map(({ at, text, path }) => ({ at: presentTime(at), text, path })),
        deliveries: (sends.get(alert.id) ?? []).map((row) =>
          presentDelivery(row, channels.get(row.channel_id) ?? 'a removed channel'),
        ),
      }
    }),
  )
}

const presentDelivery = (row: AlertDeliveryRow, channel: string): AlertDelivery => ({
  channel_id: row.channel_id,
  channel,
  part: row.part === 1 ? 'first' : 'summary',
  state: row.sent_at !== null ? 'sent' : row.due_at === null ? 'failed' : 'waiting',
  attempts: row.attempts,
  at: row.sent_at === null ? null : presentTime(row.sent_at),
  answer: row.answer,
})
