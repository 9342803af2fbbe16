import { randomUUID } from 'node:crypto'
import { NIL_UUID } from '@inkling/contract'
import { scoredEvent } from '../../src/deliver/webhook-events.ts'
import { uuidBytesOrNil } from '../../src/lib/uuid.ts'
import { rateLimitedVisit } from '../../src/score/rate-limited-visit.ts'
import { score } from '../../src/score/score.ts'
import { identificationRow } from '../../src/store/identifications/identification-row.ts'
import { snapshotOf } from '../../src/store/identifications/snapshots.ts'
import type { OutboxRow } from '../../src/store/outbox/outbox.ts'
import { packText } from '../../src/store/packed/packed-text.ts'
import type { NewDelivery, NewOutboxEntry, WriteOperation } from '../../src/store/store.ts'
import type { Identified, Recorded } from '../../src/visit/identification.ts'
import { identified } from '../identified.ts'
import type { AccountSurface } from './account-surface.ts'

/** Address of a Tor exit; scores 99. */
export const overTor = (): Pick<Identified, 'ip'> => ({ ip: { ...identified().ip, tor: true } })

/** Address in a data center; scores 10. */
export const fromDatacenter = (): Pick<Identified, 'ip'> => ({
  ip: { ...identified().ip, hosting: true, class: 'hosting' },
})

const checked = (address: string, leaks: boolean): Identified['check'] => ({
  service: { address, country: 'Germany' },
  leak: leaks ? { address, country: 'Germany', otherNetwork: true } : undefined,
  requestSeen: true,
  browserPassed: true,
  flowStatus: 'ok',
})

/** The network check saw another address than the request. */
export const leaking = (localIp: string): Pick<Identified, 'check'> => ({ check: checked(localIp, true) })

/** The network check saw the address of the request. */
export const directFrom = (address: string): Pick<Identified, 'address' | 'check'> => ({
  address,
  check: checked(address, false),
})

export interface Visit {
  requestId: string
  /** Bytes of its event. */
  event: string
}

/** Stores a visit with its snapshot and one waiting event, as the pipeline does. */
export async function storeVisit(
  { store, domainId, clock }: Pick<AccountSurface, 'store' | 'domainId' | 'clock'>,
  given: Partial<Identified> = {},
): Promise<Visit> {
  const domain = { ...identified().domain, id: domainId }
  const scored = score(identified({ requestId: randomUUID(), atMs: clock.nowMs, domain, ...given }))
  const body = scoredEvent(scored, { createdAtMs: scored.atMs, eventId: undefined })
  const entry: NewOutboxEntry = {
    domain_id: domainId,
    endpoint_id: 1,
    request_id: uuidBytesOrNil(scored.requestId),
    event_id: uuidBytesOrNil(randomUUID()),
    body,
    attempts: 0,
    due_at: scored.atMs + 10_000,
  }
  const outcome = await store.commit({
    type: 'identification',
    row: identificationRow(scored),
    snapshot: snapshotOf(scored),
    outbox: [entry],
  })
  if (outcome.type !== 'stored') throw new Error(`the visit was not stored: ${outcome.type}`)
  return { requestId: scored.requestId, event: Buffer.from(body).toString() }
}

/** Stores the marker of an address that sent too much. */
export async function storeLimitedVisit(
  { store, domainId, clock }: Pick<AccountSurface, 'store' | 'domainId' | 'clock'>,
  address: string,
): Promise<Recorded> {
  const domain = { ...identified().domain, id: domainId }
  const visit = { domain, requestId: NIL_UUID, host: 'shop.example', address, atMs: clock.nowMs }
  const recorded = rateLimitedVisit(visit)
  const row = identificationRow(recorded)
  const outcome = await store.commit({ type: 'identification', row, snapshot: undefined, outbox: [] })
  if (outcome.type !== 'stored') throw new Error(`the marker was not stored: ${outcome.type}`)
  return recorded
}

/** Records the result of sending a visit's event, which waits or is queued for it. */
export async function storeDelivery(
  { store, domainId, clock }: Pick<AccountSurface, 'store' | 'domainId' | 'clock'>,
  { requestId, event }: Visit,
  given: Partial<NewDelivery> = {},
): Promise<void> {
  const request_id = uuidBytesOrNil(requestId)
  const waiting = await store.reads
    .selectFrom('outbox')
    .selectAll()
    .where('request_id', '=', request_id)
    .executeTakeFirst()
  const entry =
    waiting ??
    (await store.writes
      .insertInto('outbox')
      .values({
        domain_id: domainId,
        endpoint_id: given.endpoint_id ?? 1,
        request_id,
        event_id: uuidBytesOrNil(randomUUID()),
        body: Buffer.from(event),
        attempts: (given.attempt ?? 1) - 1,
        due_at: clock.nowMs,
      })
      .returningAll()
      .executeTakeFirstOrThrow())
  await store.commit(recordOf(entry, { sent_at: clock.nowMs, ...given }))
}

/** The record of sending the event of an outbox entry for the last time, or with `retryAt` for now. */
export const recordOf = (
  { id, domain_id, endpoint_id, request_id, event_id, attempts, body }: OutboxRow,
  given: Partial<NewDelivery> = {},
  retryAt?: number,
): Extract<WriteOperation, { type: 'delivery' }> => ({
  type: 'delivery',
  outboxId: id,
  retryAt,
  log: {
    domain_id,
    endpoint_id,
    request_id,
    event_id,
    event_type: 'identification.scored',
    attempt: attempts + 1,
    sent_at: 0,
    duration_ms: 12,
    status: 204,
    error: null,
    body: packText(body),
    ...given,
  },
})
