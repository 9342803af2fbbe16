import { randomUUID } from 'node:crypto'
import type { Domain, Endpoint } from '../auth/directory.ts'
import { uuidBytesOrNil } from '../lib/uuid.ts'
import type { OutboxRow } from '../store/outbox/outbox.ts'
import type { NewOutboxEntry } from '../store/store.ts'
import type { Recorded } from '../visit/identification.ts'
import { deviceEvent, scoredEvent } from './webhook-events.ts'

export const withOutboxId = (entry: NewOutboxEntry, id: number | undefined): OutboxRow[] =>
  id === undefined ? [] : [{ ...entry, id }]

/**
 * One event for each endpoint, all with the same body.
 * @param heldUntil until then only this process sends them; if it dies, another process does
 */
export function outboxEntries(
  recorded: Recorded,
  domain: Domain,
  heldUntil: number,
  { now, nameEvents }: { now(): number; nameEvents: boolean },
): NewOutboxEntry[] {
  if (domain.endpoints.length === 0) return []
  const eventId = randomUUID()
  const body = scoredEvent(recorded, { createdAtMs: now(), eventId: nameEvents ? eventId : undefined })
  return entriesFor(domain.endpoints, recorded, { eventId, body, heldUntil })
}

/** The same for what the visit shows of its device, which no later evidence changes, to endpoints that ask for it. */
export function deviceEntries(
  recorded: Recorded,
  domain: Domain,
  heldUntil: number,
  now: () => number,
): NewOutboxEntry[] {
  const endpoints = domain.endpoints.filter(({ deviceEvents }) => deviceEvents)
  if (endpoints.length === 0) return []
  const eventId = randomUUID()
  const body = deviceEvent(recorded, { eventId, createdAtMs: now() })
  return body ? entriesFor(endpoints, recorded, { eventId, body, heldUntil }) : []
}

const entriesFor = (
  endpoints: readonly Endpoint[],
  { domain, requestId }: Recorded,
  { eventId, body, heldUntil }: { eventId: string; body: Uint8Array; heldUntil: number },
): NewOutboxEntry[] =>
  endpoints.map((endpoint) => ({
    domain_id: domain.id,
    endpoint_id: endpoint.id,
    request_id: uuidBytesOrNil(requestId),
    event_id: uuidBytesOrNil(eventId),
    body,
    attempts: 0,
    due_at: heldUntil,
  }))
