import { presentTime } from '@inkling/contract'
import type { AlertMessage } from './alert-message.ts'

/** The body of a generic webhook. Texts are as they are: JSON carries them unharmed, and the receiver escapes them. */
export const webhookBody = (message: AlertMessage): object => ({
  id: message.id,
  alert_id: message.alertId,
  type: message.type,
  schema_version: 1,
  domain: message.domain,
  rule: message.rule,
  events: message.events,
  first_at: presentTime(message.firstAtMs),
  last_at: presentTime(message.lastAtMs),
  lines: message.lines.map(({ atMs, text, url }) => ({ at: presentTime(atMs), text, url })),
  more: message.more,
  url: message.url,
})
