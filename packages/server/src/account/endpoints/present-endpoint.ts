import type { EndpointAttempt, WebhookEndpoint } from '@inkling/contract/account'
import { keyTail } from '../../auth/keys.ts'
import { type Attempt, delivered } from '../../deliver/attempt.ts'
import type { SecretBox } from '../../lib/secret-box.ts'
import type { EndpointRow } from '../../store/domains/domains.ts'
import { presentTime } from '../present-time.ts'

export const presentEndpoint = (row: EndpointRow, secrets: SecretBox): WebhookEndpoint => ({
  id: row.id,
  url: row.url,
  state: row.state,
  enabled: row.enabled === 1,
  pattern_events: row.pattern_events === 1,
  secret_tail: keyTail(secrets.open(row.sealed_secret)),
  created_at: presentTime(row.created_at),
})

export const presentAttempt = (id: number, attempt: Attempt): EndpointAttempt => ({
  id,
  state: delivered(attempt) ? 'verified' : 'failed',
  status: attempt.status ?? null,
  duration_ms: attempt.durationMs,
  error: attempt.error ?? null,
})
