import { randomUUID } from 'node:crypto'
import type { Domain } from './auth/directory.ts'
import { HOLD_MS } from './deliver/dispatcher.ts'
import { scoredEvent } from './deliver/scored-event.ts'
import { type EnrichDeps, enrich } from './enrich/enrich.ts'
import type { Received, Recorded } from './identification.ts'
import { identify } from './identify/identify.ts'
import { uuidBytesOrNil } from './lib/uuid.ts'
import { type MarkedVisit, marker } from './score/marker.ts'
import { score } from './score/score.ts'
import { identificationRow, snapshotOf } from './store/identification-row.ts'
import type { OutboxRow } from './store/outbox.ts'
import type { Store } from './store/store.ts'
import type { NewOutboxEntry } from './store/write-operation.ts'

export interface PipelineDeps extends EnrichDeps {
  commit: Store['commit']
  /** Takes the events that were committed with an identification. */
  enqueue(entries: readonly OutboxRow[]): void
  storeSnapshots: boolean
  /** Whether events carry an ID, by which a receiver tells a repeat. */
  nameEvents: boolean
  now(): number
}

export interface Pipeline {
  /** Resolves once the identification is scored and on disk, with its events. */
  process(received: Received, domain: Domain): Promise<void>
  /** Records that an address went over the ingest limit. */
  mark(visit: MarkedVisit, domain: Domain): Promise<void>
}

/** THE ORDER: enrich, identify, score, commit, and only then acknowledge and deliver. */
export function createPipeline(deps: PipelineDeps): Pipeline {
  return {
    async process(received, domain) {
      const enriched = enrich(received, deps)
      const identified = identify(enriched)
      const scored = score(identified)
      await commit(scored, deps.storeSnapshots ? snapshotOf(scored) : undefined, domain, deps)
    },
    mark: (visit, domain) => commit(marker(visit), undefined, domain, deps),
  }
}

async function commit(
  recorded: Recorded,
  snapshot: string | undefined,
  domain: Domain,
  deps: PipelineDeps,
): Promise<void> {
  const outbox = outboxEntries(recorded, domain, deps)
  const row = identificationRow(recorded)
  const outcome = await deps.commit({ type: 'identification', row, snapshot, outbox })
  if (outcome.type === 'failed') throw new Error(`an identification could not be stored: ${outcome.message}`)
  if (outcome.type !== 'stored') return
  deps.enqueue(outbox.flatMap((entry, index) => withId(entry, outcome.outboxIds[index])))
}

const withId = (entry: NewOutboxEntry, id: number | undefined): OutboxRow[] =>
  id === undefined ? [] : [{ ...entry, id }]

/** One event for each endpoint; all of them carry the same bytes. */
function outboxEntries(
  recorded: Recorded,
  domain: Domain,
  { now, nameEvents }: Pick<PipelineDeps, 'now' | 'nameEvents'>,
): NewOutboxEntry[] {
  if (domain.endpoints.length === 0) return []
  const createdAtMs = now()
  const eventId = randomUUID()
  const body = scoredEvent(recorded, { createdAtMs, eventId: nameEvents ? eventId : undefined })
  const request_id = uuidBytesOrNil(recorded.requestId)
  return domain.endpoints.map((endpoint) => ({
    domain_id: domain.id,
    endpoint_id: endpoint.id,
    request_id,
    event_id: uuidBytesOrNil(eventId),
    body,
    attempts: 0,
    // This process sends it at once; should it die, another one may after that.
    due_at: createdAtMs + HOLD_MS,
  }))
}
