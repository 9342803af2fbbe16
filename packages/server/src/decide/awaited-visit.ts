import type { Kysely } from 'kysely'
import { AppError } from '../lib/errors.ts'
import type { UuidBytes } from '../lib/uuid.ts'
import { uuidToText } from '../lib/uuid.ts'
import type { IdentificationRow } from '../store/identifications/identifications.ts'
import type { Schema } from '../store/schema.ts'
import type { Store } from '../store/store.ts'
import { DECIDED_COLUMNS } from './decision-facts.ts'
import type { VisitArrivals } from './visit-arrivals.ts'

const COLUMNS = [...DECIDED_COLUMNS, 'session_id', 'ver'] as const
export type AwaitedVisit = Pick<IdentificationRow, (typeof COLUMNS)[number]>

/** Another node may store the visit, which wakes nobody here. The pause doubles up to the greatest. */
const FIRST_PAUSE_MS = 50
const PAUSE_MAX_MS = 400
/** Questions of one domain that wait; more would hold the places of others. */
const WAITING_MAX = 128

interface Awaited {
  domainId: number
  requestId: UuidBytes
  waitMs: number
}

/** Finds an identification that may be on its way. */
export function createVisitWait(
  { reads, inShare }: Pick<Store, 'reads' | 'inShare'>,
  arrivals: VisitArrivals,
  monotonicMs: () => number,
) {
  const waitingOf = new Map<number, number>()

  /** @throws AppError `INK_RATE_LIMITED` when too many questions of the domain wait */
  return async ({ domainId, requestId, waitMs }: Awaited): Promise<AwaitedVisit | undefined> => {
    const find = () => inShare(`domain ${domainId}`, () => findVisit(reads, domainId, requestId))
    const found = await find()
    if (found || waitMs === 0) return found
    const waiting = waitingOf.get(domainId) ?? 0
    if (waiting >= WAITING_MAX) throw new AppError('INK_RATE_LIMITED', undefined, { retryAfterSeconds: 1 })
    waitingOf.set(domainId, waiting + 1)
    try {
      return await wait(find, { domainId, requestId, waitMs })
    } finally {
      const left = (waitingOf.get(domainId) ?? 1) - 1
      if (left > 0) waitingOf.set(domainId, left)
      else waitingOf.delete(domainId)
    }
  }

  async function wait(
    find: () => Promise<AwaitedVisit | undefined>,
    { domainId, requestId, waitMs }: Awaited,
  ) {
    const deadline = monotonicMs() + waitMs
    for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(2 * pauseMs, PAUSE_MAX_MS)) {
      // Before the search, so that a visit that is stored during it wakes this one.
      const arrival = arrivals.next(domainId, uuidToText(requestId))
      try {
        const found = await find()
        const leftMs = deadline - monotonicMs()
        if (found || leftMs <= 0) return found
        await arrival.within(Math.min(pauseMs, leftMs))
      } finally {
        arrival.cancel()
      }
    }
  }
}

export const findVisit = (
  reads: Kysely<Schema>,
  domainId: number,
  requestId: UuidBytes,
): Promise<AwaitedVisit | undefined> =>
  reads
    .selectFrom('identifications')
    .select(COLUMNS)
    .where('domain_id', '=', domainId)
    .where('request_id', '=', requestId)
    .executeTakeFirst()
