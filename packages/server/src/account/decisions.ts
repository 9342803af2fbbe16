import type { DECISION_OPERATIONS } from '@inkling/contract/account'
import { presentStoredDecision } from '../history/said-of-visit.ts'
import { uuidBytesOrNil } from '../lib/uuid.ts'
import { decisionStore } from '../store/decisions/decisions.ts'
import { readCursor, writeCursor } from './cursor.ts'
import { findDomain } from './domains.ts'
import type { Handlers } from './handler.ts'

export const decisionOperations: Handlers<typeof DECISION_OPERATIONS> = {
  listDecisions: async ({ params, query }, { store }) => {
    const { id } = await findDomain(store, params.domain)
    const [before] = readCursor(query.cursor, 1) ?? []
    const { request_id, action, purpose, limit } = query
    const requestId = request_id === undefined ? undefined : uuidBytesOrNil(request_id)
    const rows = await decisionStore(store.reads).page(id, { requestId, action, purpose }, { before, limit })
    const last = rows.length === limit ? rows.at(-1) : undefined
    return {
      data: rows.map(presentStoredDecision),
      next: last ? writeCursor([last.id]) : null,
    }
  },
}
