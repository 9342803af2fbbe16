import type { CASE_OPERATIONS, CaseOpening } from '@inkling/contract/account'
import type { z } from 'zod'
import { caseWorkers } from '../auth/domain-roles.ts'
import { HOUR_MS } from '../lib/durations.ts'
import { AppError } from '../lib/errors.ts'
import { type CaseFilter, type CaseRow, caseStore } from '../store/cases/cases.ts'
import { normalValue } from '../store/lists/subject-value.ts'
import { recordChange } from './audit.ts'
import { changeCaseRow } from './case-change.ts'
import { decideCase, takeDecisionBack } from './case-decision.ts'
import { presentCase, readCaseDetail } from './case-detail.ts'
import { attachEvidence } from './case-evidence.ts'
import { readCursor, writeCursor } from './cursor.ts'
import { findDomain } from './domains.ts'
import type { Handlers } from './handler.ts'

/** The audit log names numbers of cases, never subjects: an erasure could not find those there. */
export const caseOperations: Handlers<typeof CASE_OPERATIONS> = {
  listCases: async ({ params, query, caller }, { store, now }) => {
    const { id } = await findDomain(store, params.domain)
    const [at, last] = readCursor(query.cursor, 2) ?? []
    const after = at === undefined || last === undefined ? undefined : ([at, last] as const)
    const filter: CaseFilter = {
      status: query.status,
      assignee: query.assignee === 'me' ? caller.email : query.assignee === 'none' ? null : query.assignee,
      priority: query.priority,
      dueBeforeMs: query.overdue === undefined ? undefined : now(),
      subject:
        query.subject_type === undefined
          ? undefined
          : { type: query.subject_type, value: query.subject_value },
    }
    const rows = await caseStore(store.reads).page(id, filter, { after, limit: query.limit })
    const end = rows.length === query.limit ? rows.at(-1) : undefined
    const order = (row: CaseRow): number => (query.status === 'closed' ? (row.closed_at ?? 0) : row.due_at)
    return { data: rows.map(presentCase), next: end ? writeCursor([order(end), end.id]) : null }
  },

  countCases: async ({ params, caller }, { store, now }) => {
    const { id } = await findDomain(store, params.domain)
    const cases = caseStore(store.reads)
    const [open, mine, unassigned, overdue, users] = await Promise.all([
      cases.count(id, { status: 'active' }),
      cases.count(id, { status: 'active', assignee: caller.email }),
      cases.count(id, { status: 'active', assignee: null }),
      cases.count(id, { status: 'active', dueBeforeMs: now() }),
      // Only who assigns cases needs to know the others.
      caller.rights.has('cases:write') ? caseWorkers(store.reads, id) : [],
    ])
    return { open, mine, unassigned, overdue, users }
  },

  openCase: async ({ params, body, caller }, deps) => {
    const { id, name, review_hours } = await findDomain(deps.store, params.domain)
    const subject = caseSubject(body.subject)
    const nowMs = deps.now()
    const opened = await recordChange(
      deps,
      ({ row, action }: { row: CaseRow; action: string }) => ({
        actor: caller.email,
        action,
        target: name,
        detail: { case: row.number },
      }),
      async (transaction) => {
        const cases = caseStore(transaction)
        const added = await cases.add({
          domain_id: id,
          title: body.title ?? (subject.type === 'finding' ? 'Pattern to look at' : 'Opened by hand'),
          subject_type: subject.type,
          subject_value: subject.value,
          source: body.finding === undefined ? 'person' : 'finding',
          status: 'open',
          priority: body.priority,
          assignee: null,
          due_at: nowMs + review_hours * HOUR_MS,
          reviews: 0,
          outcome: null,
          opened_by: caller.email,
          opened_at: nowMs,
          changed_at: nowMs,
          closed_at: null,
        })
        const row = added ?? (await cases.findOpen(id, subject.type, subject.value))
        if (!row) throw new Error('the case was neither added nor found')
        if (added)
          await cases.addEvent(id, row.id, { kind: 'opened', atMs: nowMs, author: caller.email, body: {} })
        else await cases.change(id, row.id, { changed_at: nowMs })
        const by = { author: caller.email, nowMs }
        const target = subject.type === 'finding' ? { finding: Number(subject.value), ...body } : body
        await attachEvidence(transaction, { id, name }, row.id, target, by)
        return { row, action: added ? 'cases.open' : 'cases.add' }
      },
    )
    if (!opened) throw new Error('the case was not opened')
    return presentCase(opened.row)
  },

  getCase: async ({ params }, { store }) => {
    const { id } = await findDomain(store, params.domain)
    return readCaseDetail(store.reads, id, params.case_id)
  },

  changeCase: async ({ params, body, caller }, deps) => {
    const { id, name } = await findDomain(deps.store, params.domain)
    const number = params.case_id
    const by = { author: caller.email, nowMs: deps.now() }
    const detail = { case: number, fields: Object.keys(body).join() }
    const change = { actor: caller.email, action: 'cases.change', target: name, detail }
    const changed = await recordChange(deps, change, (transaction) =>
      changeCaseRow(transaction, id, number, body, by),
    )
    return changed ? presentCase(changed) : presentCase(await foundCase(deps, id, number))
  },

  changeCases: async ({ params, body: { numbers, ...body }, caller }, deps) => {
    const { id, name } = await findDomain(deps.store, params.domain)
    const by = { author: caller.email, nowMs: deps.now() }
    const changed = await recordChange(
      deps,
      (rows: CaseRow[]) => ({
        actor: caller.email,
        action: 'cases.change',
        target: name,
        detail: { cases: rows.map(({ number }) => number).join(), fields: Object.keys(body).join() },
      }),
      async (transaction) => {
        const rows: CaseRow[] = []
        // In one order, so that two changes of the same cases cannot wait for each other.
        for (const number of [...new Set(numbers)].sort((a, b) => a - b)) {
          const row = await changeCaseRow(transaction, id, number, body, by)
          if (row) rows.push(row)
        }
        return rows.length > 0 ? rows : undefined
      },
    )
    return { changed: changed?.length ?? 0 }
  },

  addToCase: async ({ params, body, caller }, deps) => {
    const { id, name } = await findDomain(deps.store, params.domain)
    const number = params.case_id
    const by = { author: caller.email, nowMs: deps.now() }
    const change = { actor: caller.email, action: 'cases.add', target: name, detail: { case: number } }
    await recordChange(deps, change, async (transaction) => {
      const row = await foundCase({ store: { reads: transaction } }, id, number)
      await attachEvidence(transaction, { id, name }, row.id, body, by)
      return caseStore(transaction).change(id, row.id, { changed_at: by.nowMs })
    })
    return readCaseDetail(deps.store.reads, id, number)
  },

  decideCase: async ({ params, body, caller }, deps) => {
    const { id, name } = await findDomain(deps.store, params.domain)
    const number = params.case_id
    const detail = {
      case: number,
      decision: body.action,
      ...(body.label !== undefined && { label: body.label }),
      ...(body.list !== undefined && { list: body.list }),
    }
    const change = { actor: caller.email, action: 'cases.decide', target: name, detail }
    const by = { author: caller.email, nowMs: deps.now() }
    await recordChange(deps, change, async (transaction) => {
      const row = await foundCase({ store: { reads: transaction } }, id, number)
      return decideCase(transaction, row, body, by)
    })
    return readCaseDetail(deps.store.reads, id, number)
  },

  undoCaseDecision: async ({ params, caller }, deps) => {
    const { id, name } = await findDomain(deps.store, params.domain)
    const number = params.case_id
    const change = { actor: caller.email, action: 'cases.undo', target: name, detail: { case: number } }
    const by = { author: caller.email, nowMs: deps.now(), rights: caller.rights }
    await recordChange(deps, change, async (transaction) => {
      const row = await foundCase({ store: { reads: transaction } }, id, number)
      return takeDecisionBack(transaction, row, by)
    })
    return readCaseDetail(deps.store.reads, id, number)
  },
}

async function foundCase(
  { store }: { store: { reads: Parameters<typeof caseStore>[0] } },
  domainId: number,
  number: number,
): Promise<CaseRow> {
  const row = await caseStore(store.reads).find(domainId, number)
  if (!row) throw new AppError('INK_NOT_FOUND', 'no such case')
  return row
}

/** @throws AppError `INK_INVALID_FIELD` */
function caseSubject({ type, value }: z.output<typeof CaseOpening>['subject']) {
  if (type === 'finding') {
    if (!/^[1-9]\d{0,14}$/.test(value))
      throw new AppError('INK_INVALID_FIELD', 'subject.value: not the number of a finding')
    return { type, value }
  }
  const normal = normalValue(type, value)
  if ('problem' in normal) throw new AppError('INK_INVALID_FIELD', `subject.value: ${normal.problem}`)
  return { type, value: normal.value }
}
