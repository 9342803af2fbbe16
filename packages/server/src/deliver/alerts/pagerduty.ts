import { presentTime } from '@inkling/contract'
import { type AlertMessage, textLines, titleOf } from './alert-message.ts'

export const PAGERDUTY_URLS = {
  us: 'https://events.pagerduty.com/v2/enqueue',
  eu: 'https://events.eu.pagerduty.com/v2/enqueue',
} as const

/**
 * An event of the Events API v2 (https://developer.pagerduty.com/docs/send-alert-event). Both messages of an alert, and
 * each attempt, have its key, so they are one incident.
 */
export const pagerDutyEvent = (message: AlertMessage, routingKey: string): object => ({
  routing_key: routingKey,
  event_action: 'trigger',
  dedup_key: message.alertId,
  client: 'Inkling',
  client_url: message.url,
  payload: {
    summary: titleOf(message),
    source: message.domain,
    severity: message.type === 'alert.test' ? 'info' : 'warning',
    timestamp: presentTime(message.lastAtMs),
    component: message.rule.source,
    custom_details: { id: message.id, events: message.events, what: textLines(message) },
  },
})
