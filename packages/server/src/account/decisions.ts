import { DECISION_ACTIONS, type DecisionAction } from '@inkling/contract'
import type { DECISION_OPERATIONS, DecisionCounts } from '@inkling/contract/account'
import { presentStoredDecision } from '../history/said-of-visit.ts'
import { uuidBytesOrNil } from '../lib/uuid.ts'
import { type DecisionTimes, decisionStore } from '../store/decisions/decisions.ts'
import { readCursor, writeCursor } from './cursor.ts'
import { findDomain } from './domains.ts'
import type { Handlers } from './handler.ts'

/**
 * Of each action; beyond, a count says no more. An index has them: measured 13 ms for so many of all four actions on
 * PostgreSQL, but 400 to 700 ms where no vacuum has seen the rows yet, so that each of them is looked at.
 */
const COUNT_MAX = 25_000

export const decisionOperations: Handlers<typeof DECISION_OPERATIONS> = {
  listDecisions: async ({ params, query }, { store }) => {
    const { id } = await findDomain(store, params.domain)
    const [atMs, lastId] = readCursor(query.cursor, 2) ?? []
    const { request_id, action, purpose, limit } = query
    const rows = await decisionStore(store.reads).page(
      id,
      {
        requestId: request_id === undefined ? undefined : uuidBytesOrNil(request_id),
        action,
        purpose,
        ...timesOf(query),
      },
      { before: atMs === undefined || lastId === undefined ? undefined : { atMs, id: lastId }, limit },
    )
    const last = rows.length === limit ? rows.at(-1) : undefined
    return {
      data: rows.map(presentStoredDecision),
      next: last ? writeCursor([last.decided_at, last.id]) : null,
    }
  },

  countDecisions: async ({ params, query }, { store }) => {
    const { id } = await findDomain(store, params.domain)
    const counts = await decisionStore(store.reads).countByAction(id, timesOf(query), COUNT_MAX)
    const present = (action: DecisionAction) => {
      const total = counts.get(action) ?? 0
      return [action, { total: Math.min(total, COUNT_MAX), complete: total <= COUNT_MAX }]
    }
    return { actions: Object.fromEntries(DECISION_ACTIONS.map(present)) as DecisionCounts['actions'] }
  },
}

const timesOf = ({ from, to }: { from?: string | undefined; to?: string | undefined }): DecisionTimes => ({
  fromMs: from === undefined ? undefined : Date.parse(from),
  toMs: to === undefined ? undefined : Date.parse(to),
})
