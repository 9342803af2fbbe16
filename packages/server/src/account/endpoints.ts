import { presentTime } from '@inkling/contract'
import type {
  Delivery,
  ENDPOINT_OPERATIONS,
  EndpointAttempt,
  WebhookEndpoint,
} from '@inkling/contract/account'
import { keyTail } from '../auth/keys.ts'
import { newSecret } from '../auth/signing-secrets.ts'
import { type Attempt, delivered } from '../deliver/attempt.ts'
import { ping, sendTest } from '../deliver/ping.ts'
import { newEndpoint, storeEndpoint, webhookUrl } from '../deliver/webhook-endpoints.ts'
import { takeOne } from '../lib/limits.ts'
import type { SecretBox } from '../lib/secret-box.ts'
import { uuidToText } from '../lib/uuid.ts'
import { withoutSecrets } from '../lib/without-secrets.ts'
import { isCold } from '../store/cold/cold-body.ts'
import {
  type InOutage,
  readStoredBodies,
  UNAVAILABLE,
  unlessUnavailable,
} from '../store/cold/stored-bodies.ts'
import { type EndpointRow, endpointStore, removeEndpoint } from '../store/domains/domains.ts'
import { type DeliveryRow, deliveryStore } from '../store/outbox/outbox.ts'
import { unpackText } from '../store/packed/packed-text.ts'
import type { Store } from '../store/store.ts'
import { recordChange } from './audit.ts'
import { readCursor, writeCursor } from './cursor.ts'
import { findDomain, findEndpoint, NO_ENDPOINT } from './domains.ts'
import type { Handlers } from './handler.ts'

export const endpointOperations: Handlers<typeof ENDPOINT_OPERATIONS> = {
  listEndpoints: async ({ params, caller }, { store, secrets }) => {
    const { id } = await findDomain(store, params.domain)
    const rows = await endpointStore(store.reads).list(id)
    const maySeeSecrets = caller.rights.has('settings:write')
    return rows.map((row) => {
      const endpoint = presentEndpoint(row, secrets)
      return maySeeSecrets ? endpoint : { ...endpoint, url: withoutSecrets(endpoint.url) }
    })
  },

  addEndpoint: async ({ params, body, caller }, deps) => {
    const { id, name } = await findDomain(deps.store, params.domain)
    const url = webhookUrl(body.url, deps.allowPrivateWebhooks)
    const { row, secret } = newEndpoint(deps.secrets, id, url, deps.now())
    const entry = {
      actor: caller.email,
      action: 'endpoint.add',
      target: name,
      detail: { url: withoutSecrets(url) },
    }
    const added = await recordChange(deps, entry, (transaction) => storeEndpoint(transaction, row))
    if (!added) throw new Error('the endpoint was not stored')
    return { ...presentEndpoint(added, deps.secrets), secret }
  },

  changeEndpoint: async ({ params, body, caller }, deps) => {
    const { domain, endpoint } = await findEndpoint(deps.store, params)
    const { enabled = endpoint.enabled === 1, pattern_events = endpoint.pattern_events === 1 } = body
    const { decision_events = endpoint.decision_events === 1 } = body
    const { device_events = endpoint.device_events === 1 } = body
    const detail = { endpoint: endpoint.id, enabled, pattern_events, decision_events, device_events }
    const entry = { actor: caller.email, action: 'endpoint.change', target: domain.name, detail }
    const changed = await recordChange(deps, entry, (transaction) =>
      endpointStore(transaction).change(domain.id, endpoint.id, {
        enabled: enabled ? 1 : 0,
        pattern_events: pattern_events ? 1 : 0,
        decision_events: decision_events ? 1 : 0,
        device_events: device_events ? 1 : 0,
      }),
    )
    if (!changed) throw NO_ENDPOINT()
    return presentEndpoint(changed, deps.secrets)
  },

  removeEndpoint: async ({ params, caller }, deps) => {
    const { domain, endpoint } = await findEndpoint(deps.store, params)
    const detail = { endpoint: endpoint.id }
    const entry = { actor: caller.email, action: 'endpoint.remove', target: domain.name, detail }
    const removed = await recordChange(deps, entry, (transaction) =>
      removeEndpoint(transaction, domain.id, endpoint.id),
    )
    if (!removed) throw NO_ENDPOINT()
  },

  pingEndpoint: async ({ params, caller }, deps) => {
    const { domain, endpoint } = await findEndpoint(deps.store, params)
    await takeOne(deps.testSends, domain.name)
    const { state, attempt } = await ping(deps.store, deps.secrets, endpoint, deps.sender)
    const detail = { endpoint: endpoint.id, state }
    const entry = { actor: caller.email, action: 'endpoint.ping', target: domain.name, detail }
    await recordChange(deps, entry, () => Promise.resolve(state))
    return presentAttempt(endpoint.id, attempt)
  },

  /** Sends a request from this server, so it needs `settings:write`. */
  testEndpoint: async ({ params, caller }, deps) => {
    const { domain, endpoint } = await findEndpoint(deps.store, params)
    await takeOne(deps.testSends, domain.name)
    const attempt = presentAttempt(endpoint.id, await sendTest(deps.secrets, endpoint, deps.sender))
    const detail = { endpoint: endpoint.id, state: attempt.state }
    const entry = { actor: caller.email, action: 'endpoint.test', target: domain.name, detail }
    await recordChange(deps, entry, () => Promise.resolve(attempt))
    return attempt
  },

  rotateSecret: async ({ params, caller }, deps) => {
    const { domain, endpoint } = await findEndpoint(deps.store, params)
    const old = deps.secrets.open(endpoint.sealed_secret)
    const { secret, change } = newSecret(deps.secrets, endpoint, deps.now() + deps.secretOverlapMs)
    const detail = { endpoint: endpoint.id }
    const entry = { actor: caller.email, action: 'endpoint.rotate_secret', target: domain.name, detail }
    const changed = await recordChange(deps, entry, (transaction) =>
      endpointStore(transaction).change(domain.id, endpoint.id, change),
    )
    if (!changed) throw NO_ENDPOINT()
    return { id: endpoint.id, secret, replaced: masked(old) }
  },

  listDeliveries: async ({ params, query }, { store }) => {
    const { domain, endpoint } = await findEndpoint(store, params)
    const [beforeId] = readCursor(query.cursor, 1) ?? []
    const page = { failedOnly: query.outcome === 'failed', beforeId, limit: query.limit }
    const rows = await deliveryStore(store.reads).list(domain.id, endpoint.id, page)
    const last = rows.length === query.limit ? rows.at(-1) : undefined
    return {
      data: await presentDeliveries(store, domain.id, rows),
      next: last ? writeCursor([last.id]) : null,
    }
  },
}

const masked = (secret: string): string => keyTail(secret).padStart(secret.length, '*')

const presentEndpoint = (row: EndpointRow, secrets: SecretBox): WebhookEndpoint => ({
  id: row.id,
  url: row.url,
  state: row.state,
  enabled: row.enabled === 1,
  pattern_events: row.pattern_events === 1,
  decision_events: row.decision_events === 1,
  device_events: row.device_events === 1,
  secret_tail: keyTail(secrets.open(row.sealed_secret)),
  failing_since: row.failing_since === null ? null : presentTime(row.failing_since),
  disabled_at: row.disabled_at === null ? null : presentTime(row.disabled_at),
  created_at: presentTime(row.created_at),
})

const presentAttempt = (id: number, attempt: Attempt): EndpointAttempt => ({
  id,
  state: delivered(attempt) ? 'verified' : 'failed',
  status: attempt.status ?? null,
  duration_ms: attempt.durationMs,
  error: attempt.error ?? null,
})

/** The bodies of old ones are null where the cold storage does not give them. */
export async function presentDeliveries(
  { cold }: Pick<Store, 'cold'>,
  domainId: number,
  rows: readonly DeliveryRow[],
  inOutage: InOutage = unlessUnavailable,
): Promise<Delivery[]> {
  const stored = rows.map(({ id, body }) => ({ kind: 'delivery' as const, id, body }))
  const packed = await inOutage(readStoredBodies(cold, domainId, stored))
  return rows.map((row, at) => presentDelivery(row, packed === UNAVAILABLE ? inDatabase(row) : packed[at]))
}

const inDatabase = ({ body }: DeliveryRow): Uint8Array | undefined => (isCold(body) ? undefined : body)

const presentDelivery = (row: DeliveryRow, packed: Uint8Array | undefined): Delivery => ({
  id: row.id,
  endpoint_id: row.endpoint_id,
  request_id: uuidToText(row.request_id),
  event_id: uuidToText(row.event_id),
  event_type: row.event_type,
  attempt: row.attempt,
  sent_at: presentTime(row.sent_at),
  duration_ms: row.duration_ms,
  status: row.status,
  error: row.error,
  body: packed ? unpackText(packed).toString() : null,
})
