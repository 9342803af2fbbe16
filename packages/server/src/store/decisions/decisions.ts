import {
  DECISION_ACTIONS,
  DECISION_PURPOSES,
  DecideAnswer,
  type DecisionAction,
  type DecisionPurpose,
  type SearchType,
} from '@inkling/contract'
import type { Kysely, Selectable } from 'kysely'
import { normalAddress } from '../../lib/address.ts'
import type { UuidBytes } from '../../lib/uuid.ts'
import { keepFeedBehind } from '../change-feed/change-feed.ts'
import type { DecisionTable } from '../decision-tables.ts'
import type { Schema } from '../schema.ts'

const DecisionId = DecideAnswer.pick({ decision_id: true })

export type DecisionRow = Selectable<DecisionTable>

export interface DecisionFilter {
  requestId?: UuidBytes | undefined
  action?: DecisionAction | undefined
  purpose?: DecisionPurpose | undefined
}

/** Answers about visits. Each goes with its visit. */
export const decisionStore = (db: Kysely<Schema>) => ({
  /** The decision that stands in the way of another one, the one of the key first. */
  async standing(
    domainId: number,
    { key, requestId, purpose }: { key: string | undefined; requestId: UuidBytes; purpose: DecisionPurpose },
  ): Promise<DecisionRow | undefined> {
    const ofDomain = db.selectFrom('decisions').selectAll().where('domain_id', '=', domainId)
    const ofKey =
      key === undefined ? undefined : await ofDomain.where('idempotency_key', '=', key).executeTakeFirst()
    return (
      ofKey ??
      (await ofDomain.where('request_id', '=', requestId).where('purpose', '=', purpose).executeTakeFirst())
    )
  },

  /** Newest first, those before the number `before`. */
  async page(
    domainId: number,
    { requestId, action, purpose }: DecisionFilter,
    { before, limit }: { before: number | undefined; limit: number },
  ): Promise<DecisionRow[]> {
    let rows = db.selectFrom('decisions').selectAll().where('domain_id', '=', domainId)
    if (before !== undefined) rows = rows.where('id', '<', before)
    rows = rows.orderBy('id', 'desc').limit(limit)
    if (requestId) {
      rows = rows.where('request_id', '=', requestId)
      if (action !== undefined) rows = rows.where('action', '=', action)
      if (purpose !== undefined) rows = rows.where('purpose', '=', purpose)
      return rows.execute()
    }
    if (action === undefined && purpose === undefined) return rows.execute()
    // Each purpose and action has its part of an index: a rare one is found without reading all others.
    const found: DecisionRow[] = []
    for (const ofPurpose of purpose === undefined ? DECISION_PURPOSES : [purpose])
      for (const withAction of action === undefined ? DECISION_ACTIONS : [action])
        found.push(
          ...(await rows.where('purpose', '=', ofPurpose).where('action', '=', withAction).execute()),
        )
    return found.sort((a, b) => b.id - a.id).slice(0, limit)
  },

  /** Those whose visit has a version that they were not compared with, oldest first. */
  stale: (limit: number): Promise<DecisionRow[]> =>
    db
      .selectFrom('decisions')
      .selectAll()
      .where('stale', 'is not', null)
      .orderBy('id')
      .limit(limit)
      .execute(),

  /**
   * Notes that a decision was compared with a version of its visit.
   * @returns false if it was removed, another process was first, or there is a later version
   */
  async compared({ id, stale }: DecisionRow, later: string | null): Promise<boolean> {
    const { numUpdatedRows } = await db
      .updateTable('decisions')
      .set({ stale: null, later })
      .where('id', '=', id)
      .where('stale', '=', stale)
      .executeTakeFirst()
    return numUpdatedRows > 0n
  },

  /** Those about visits, and those in which a customer named the account or the address. */
  async idsAbout(
    domainId: number,
    requestIds: readonly UuidBytes[],
    identifiers: readonly { type: SearchType; value: string }[],
  ): Promise<number[]> {
    const ofDomain = db.selectFrom('decisions').select('id').where('domain_id', '=', domainId)
    const found = requestIds.length > 0 ? await ofDomain.where('request_id', 'in', requestIds).execute() : []
    for (const identifier of identifiers) {
      const named = namedIn(identifier)
      if (named) found.push(...(await ofDomain.where(named.column, '=', named.value).execute()))
    }
    return found.map(({ id }) => id)
  },

  /**
   * Removes those in which a customer named the account or the address. Those about visits go with them.
   * @returns their IDs
   */
  async forget(domainId: number, identifier: { type: SearchType; value: string }): Promise<string[]> {
    const named = namedIn(identifier)
    if (!named) return []
    const removed = await keepFeedBehind(db, () =>
      db
        .deleteFrom('decisions')
        .where('domain_id', '=', domainId)
        .where(named.column, '=', named.value)
        .returning('answer')
        .execute(),
    )
    return removed.flatMap(({ answer }) => decisionIdIn(answer))
  },
})

/** None in a damaged answer, which has to be erased like any other. */
function decisionIdIn(answer: string): string[] {
  try {
    const { data } = DecisionId.safeParse(JSON.parse(answer))
    return data ? [data.decision_id] : []
  } catch {
    return []
  }
}

function namedIn({ type, value }: { type: SearchType; value: string }) {
  if (type === 'user_hid') return { column: 'account', value } as const
  if (type === 'ip') return { column: 'client_address', value: normalAddress(value) } as const
  return undefined
}
