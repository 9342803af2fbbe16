import type { DecisionAction } from '@inkling/contract'
import {
  CASES_COUNTED_MAX,
  type CaseEventKind,
  type CasePriority,
  type CaseStatus,
  type CaseSubject,
} from '@inkling/contract/account'
import { type Insertable, type Kysely, type Selectable, sql } from 'kysely'
import type { UuidBytes } from '../../lib/uuid.ts'
import type { CaseEventTable, CaseTable } from '../decision-tables.ts'
import type { Schema } from '../schema.ts'

export type CaseRow = Selectable<CaseTable>
export type CaseEventRow = Selectable<CaseEventTable>

export interface CaseFilter {
  status: CaseStatus | 'active'
  /** Null for nobody. */
  assignee?: string | null | undefined
  priority?: CasePriority | undefined
  dueBeforeMs?: number | undefined
  subject?: { type: CaseSubject; value?: string | undefined } | undefined
}

export interface NewCaseEvent {
  kind: CaseEventKind
  atMs: number
  author: string
  /** The visit that it is a copy of, with which it goes. */
  requestId?: UuidBytes | undefined
  /** `decision:7` or `finding:7`: the row that it is a copy of, with which it goes. */
  reference?: string | undefined
  body: object
}

type NewCase = Omit<Insertable<CaseTable>, 'id' | 'number'>
export type CaseRowChange = Partial<
  Pick<
    CaseRow,
    | 'status'
    | 'priority'
    | 'assignee'
    | 'due_at'
    | 'title'
    | 'reviews'
    | 'outcome'
    | 'changed_at'
    | 'closed_at'
  >
>

const EVENTS_MAX = 500
/** In the words of the partial indexes: an engine does not see that a parameter says the same. */
const IS_ACTIVE = sql<boolean>`status <> 'closed'`
const IS_CLOSED = sql<boolean>`status = 'closed'`

/** Cases of a domain. Every method takes the domain first. */
export const caseStore = (db: Kysely<Schema>) => ({
  /** Active ones by when they are due, closed ones newest first; those after the position `after`. */
  page(
    domainId: number,
    filter: CaseFilter,
    { after, limit }: { after: readonly [number, number] | undefined; limit: number },
  ): Promise<CaseRow[]> {
    const isClosed = filter.status === 'closed'
    let rows = matching(db, domainId, filter).selectAll().limit(limit)
    const [at, id] = after ?? []
    if (isClosed) {
      if (at !== undefined) rows = rows.where(sql<boolean>`(closed_at, id) < (${at}, ${id})`)
      return rows.orderBy('closed_at', 'desc').orderBy('id', 'desc').execute()
    }
    if (at !== undefined) rows = rows.where(sql<boolean>`(due_at, id) > (${at}, ${id})`)
    return rows.orderBy('due_at').orderBy('id').execute()
  },

  async count(domainId: number, filter: CaseFilter): Promise<number> {
    const some = matching(db, domainId, filter).select('id').limit(CASES_COUNTED_MAX).as('some')
    const { count } = await db
      .selectFrom(some)
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow()
    return count
  },

  /** Whether at least so many are not closed. */
  async hasOpen(domainId: number, count: number): Promise<boolean> {
    const last = await matching(db, domainId, { status: 'active' })
      .select('id')
      .orderBy('due_at')
      .orderBy('id')
      .limit(1)
      .offset(count - 1)
      .executeTakeFirst()
    return last !== undefined
  },

  find: (domainId: number, number: number): Promise<CaseRow | undefined> =>
    db
      .selectFrom('cases')
      .selectAll()
      .where('domain_id', '=', domainId)
      .where('number', '=', number)
      .executeTakeFirst(),

  findOpen: (domainId: number, type: string, value: string): Promise<CaseRow | undefined> =>
    db
      .selectFrom('cases')
      .selectAll()
      .where('domain_id', '=', domainId)
      .where('subject_type', '=', type)
      .where('subject_value', '=', value)
      .where(IS_ACTIVE)
      .executeTakeFirst(),

  /** Needs a transaction. @returns undefined if the subject has an open case */
  async add(row: NewCase): Promise<CaseRow | undefined> {
    if (await caseStore(db).findOpen(row.domain_id, row.subject_type, row.subject_value)) return undefined
    const { case_number: number } = await db
      .updateTable('domains')
      .set({ case_number: sql`case_number + 1` })
      .where('id', '=', row.domain_id)
      .returning('case_number')
      .executeTakeFirstOrThrow()
    return db
      .insertInto('cases')
      .values({ ...row, number })
      .onConflict((conflict) => conflict.doNothing())
      .returningAll()
      .executeTakeFirst()
  },

  change: (domainId: number, id: number, change: CaseRowChange): Promise<CaseRow | undefined> =>
    db
      .updateTable('cases')
      .set(change)
      .where('domain_id', '=', domainId)
      .where('id', '=', id)
      .returningAll()
      .executeTakeFirst(),

  /** Newest first. */
  events: (domainId: number, caseId: number): Promise<CaseEventRow[]> =>
    db
      .selectFrom('case_events')
      .selectAll()
      .where('domain_id', '=', domainId)
      .where('case_id', '=', caseId)
      .orderBy('id', 'desc')
      .limit(EVENTS_MAX)
      .execute(),

  addEvent: (domainId: number, caseId: number, event: NewCaseEvent): Promise<unknown> =>
    db
      .insertInto('case_events')
      .values({
        domain_id: domainId,
        case_id: caseId,
        kind: event.kind,
        at: event.atMs,
        author: event.author,
        request_id: event.requestId ?? null,
        reference: event.reference ?? null,
        body: JSON.stringify(event.body),
      })
      .execute(),

  /** The newest decision of a case and whatever took it back. */
  lastDecision: (domainId: number, caseId: number): Promise<CaseEventRow | undefined> =>
    db
      .selectFrom('case_events')
      .selectAll()
      .where('domain_id', '=', domainId)
      .where('case_id', '=', caseId)
      .where('kind', 'in', ['decision', 'undo'])
      .orderBy('id', 'desc')
      .executeTakeFirst(),
})

function matching(
  db: Kysely<Schema>,
  domainId: number,
  { status, assignee, priority, dueBeforeMs, subject }: CaseFilter,
) {
  let rows = db.selectFrom('cases').where('domain_id', '=', domainId)
  rows = rows.where(status === 'closed' ? IS_CLOSED : IS_ACTIVE)
  if (status === 'open' || status === 'in_progress') rows = rows.where('status', '=', status)
  if (assignee !== undefined) rows = rows.where('assignee', assignee === null ? 'is' : '=', assignee)
  if (priority !== undefined) rows = rows.where('priority', '=', priority)
  if (dueBeforeMs !== undefined) rows = rows.where('due_at', '<', dueBeforeMs)
  if (subject) {
    rows = rows.where('subject_type', '=', subject.type)
    if (subject.value !== undefined) rows = rows.where('subject_value', '=', subject.value)
  }
  return rows
}

/** What a case was decided with, of which the label and the entry can be taken back. */
export interface StoredOutcome {
  action: DecisionAction
  label: string | null
  list: 'deny' | 'allow' | 'watch' | null
  /** Of the label and the entry that the decision added; null where such stood there for good. */
  labelId: number | null
  entryId: number | null
  /** The entry that it replaced, because that one would have expired. */
  entryBefore?: { reason: string; expiresAtMs: number } | undefined
}
