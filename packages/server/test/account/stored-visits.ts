import { randomUUID } from 'node:crypto'
import { scoredEvent } from '../../src/deliver/webhook-events.ts'
import { uuidBytesOrNil } from '../../src/lib/uuid.ts'
import { score } from '../../src/score/score.ts'
import { identificationRow } from '../../src/store/identifications/identification-row.ts'
import { snapshotOf } from '../../src/store/identifications/snapshots.ts'
import { packText } from '../../src/store/packed/packed-text.ts'
import type { NewDelivery, NewOutboxEntry } from '../../src/store/store.ts'
import type { Identified } from '../../src/visit/identification.ts'
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

/** Records the result of sending a visit's event. */
export async function storeDelivery(
  { store, domainId, clock }: Pick<AccountSurface, 'store' | 'domainId' | 'clock'>,
  { requestId, event }: Visit,
  given: Partial<NewDelivery> = {},
): Promise<void> {
  const waiting = await store.reads
    .selectFrom('outbox')
    .select('id')
    .where('request_id', '=', uuidBytesOrNil(requestId))
    .executeTakeFirst()
  await store.commit({
    type: 'delivery',
    outboxId: waiting?.id ?? 0,
    retryAt: undefined,
    log: {
      domain_id: domainId,
      endpoint_id: 1,
      request_id: uuidBytesOrNil(requestId),
      event_id: uuidBytesOrNil(randomUUID()),
      event_type: 'identification.scored',
      attempt: 1,
      sent_at: clock.nowMs,
      duration_ms: 12,
      status: 204,
      error: null,
      body: packText(event),
      ...given,
    },
  })
}
