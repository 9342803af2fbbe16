import {
  DECISION_ACTIONS,
  DECISION_PURPOSES,
  DecideAnswer,
  type DecisionAction,
  type DecisionPurpose,
  type SearchType,
} from '@inkling/contract'
import { type Kysely, type Selectable, type SelectQueryBuilder, sql } from 'kysely'
import { normalAddress } from '../../lib/address.ts'
import type { UuidBytes } from '../../lib/uuid.ts'
import { keepFeedBehind } from '../change-feed/change-feed.ts'
import type { DecisionTable } from '../decision-tables.ts'
import { engineSql } from '../engine-sql.ts'
import type { Schema } from '../schema.ts'

const DecisionId = DecideAnswer.pick({ decision_id: true })

export type DecisionRow = Selectable<DecisionTable>

export interface DecisionTimes {
  fromMs?: number | undefined
  /** Exclusive. */
  toMs?: number | undefined
}

export interface DecisionFilter extends DecisionTimes {
  requestId?: UuidBytes | undefined
  action?: DecisionAction | undefined
  purpose?: DecisionPurpose | undefined
}

/** The place of a decision in a list, newest first. */
export interface DecisionPosition {
  atMs: number
  id: number
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

  /** Newest first, those before the position `before`. */
  async page(
    domainId: number,
    filter: DecisionFilter,
    { before, limit }: { before: DecisionPosition | undefined; limit: number },
  ): Promise<DecisionRow[]> {
    const { requestId, action, purpose } = filter
    const ofDomain = db.selectFrom('decisions').where('domain_id', '=', domainId)
    const inOrder = <Row>(rows: SelectQueryBuilder<Schema, 'decisions', Row>) =>
      rows.orderBy('decided_at', 'desc').orderBy('id', 'desc')
    const page = inOrder(withinTimes(ofDomain, filter)).limit(limit)
    const after = before ? page.where(sql<boolean>`(decided_at, id) < (${before.atMs}, ${before.id})`) : page
    if (requestId) {
      let ofVisit = after.where('request_id', '=', requestId)
      if (action !== undefined) ofVisit = ofVisit.where('action', '=', action)
      if (purpose !== undefined) ofVisit = ofVisit.where('purpose', '=', purpose)
      return ofVisit.selectAll().execute()
    }
    // Each purpose and action has its part of an index: a rare one is found without reading all others.
    const kinds = (purpose === undefined ? DECISION_PURPOSES : [purpose]).flatMap((ofPurpose) =>
      (action === undefined ? DECISION_ACTIONS : [action]).map((withAction) =>
        after.where('purpose', '=', ofPurpose).where('action', '=', withAction).select(['id', 'decided_at']),
      ),
    )
    const { rows: newest } = await sql<{ id: number }>`
      select id from (${sql.join(
        kinds.map((kind) => sql`select * from (${kind}) as near`),
        sql` union all `,
      )}) as nearest order by decided_at desc, id desc limit ${limit}`.execute(db)
    const ids = newest.map(({ id }) => id)
    if (ids.length === 0) return []
    return inOrder(ofDomain.where('id', 'in', ids))
      .selectAll()
      .execute()
  },

  /** How many there are of each action, at most `countMax + 1`. */
  async countByAction(
    domainId: number,
    range: DecisionTimes,
    countMax: number,
  ): Promise<Map<DecisionAction, number>> {
    const counts = DECISION_ACTIONS.map((action) => {
      const some = withinTimes(db.selectFrom('decisions').where('domain_id', '=', domainId), range)
        .where('purpose', 'in', DECISION_PURPOSES)
        .where('action', '=', action)
        .select('id')
        .limit(countMax + 1)
      return sql`select ${sql.lit(action)} as action, count(*) as decisions from (${some}) as near`
    })
    const { rows } = await sql<{ action: DecisionAction; decisions: number }>`${sql.join(
      counts,
      sql` union all `,
    )}`.execute(db)
    return new Map(rows.map(({ action, decisions }) => [action, decisions]))
  },

  /**
   * Those whose visit has a version that they were not compared with, oldest first. Those of a disabled domain wait until
   * it is enabled.
   */
  stale: (limit: number): Promise<DecisionRow[]> =>
    db
      .selectFrom('decisions')
      .selectAll()
      .where('stale', 'is not', null)
      .where(
        engineSql(db).besideIds('domain_id'),
        'in',
        db.selectFrom('domains').select('id').where('enabled', '=', 1),
      )
      .orderBy('id')
      .limit(limit)
      .execute(),

  /**
   * Notes that a decision was compared with a version of its visit.
   * @returns false if it was removed, another process was first, or there is a later version
   */
  async compared({ domain_id, id, stale }: DecisionRow, later: string | null): Promise<boolean> {
    const { numUpdatedRows } = await db
      .updateTable('decisions')
      .set({ stale: null, later })
      .where('domain_id', '=', domain_id)
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

function withinTimes<Row>(
  rows: SelectQueryBuilder<Schema, 'decisions', Row>,
  { fromMs, toMs }: DecisionTimes,
): SelectQueryBuilder<Schema, 'decisions', Row> {
  let within = rows
  if (fromMs !== undefined) within = within.where('decided_at', '>=', fromMs)
  if (toMs !== undefined) within = within.where('decided_at', '<', toMs)
  return within
}

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
