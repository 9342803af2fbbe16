import type { CASE_OPERATIONS, Case, CaseDetail, CaseEvent } from './cases.ts'
import type { Examples } from './operation.ts'

export const CASE_EXAMPLE: Case = {
  number: 42,
  title: 'Review asked for at signup',
  subject: { type: 'account', value: 'b7e2f0c4' },
  source: 'rule',
  status: 'open',
  priority: 'normal',
  assignee: 'mira@brewline.example',
  due_at: '2026-10-13T09:30:00.000Z',
  reviews: 3,
  outcome: null,
  opened_by: 'server',
  opened_at: '2026-10-12T09:30:00.000Z',
  changed_at: '2026-10-12T10:02:11.000Z',
  closed_at: null,
}
const NOTE: CaseEvent = {
  id: 311,
  kind: 'note',
  at: '2026-10-12T10:02:11.000Z',
  author: 'mira@brewline.example',
  text: 'The same card as in case 40.',
  mentions: [],
}
const DETAIL: CaseDetail = { case: CASE_EXAMPLE, events: [NOTE], undoable: false }
const CLOSED: Case = {
  ...CASE_EXAMPLE,
  status: 'closed',
  outcome: 'deny',
  closed_at: '2026-10-12T10:05:00.000Z',
}
const DECIDED: CaseDetail = {
  case: CLOSED,
  events: [
    {
      id: 312,
      kind: 'decision',
      at: '2026-10-12T10:05:00.000Z',
      author: 'mira@brewline.example',
      text: '',
      outcome: { action: 'deny', label: 'fraud', list: 'deny' },
    },
    NOTE,
  ],
  undoable: true,
}

export const CASE_EXAMPLES: Examples<typeof CASE_OPERATIONS> = {
  listCases: { answer: { data: [CASE_EXAMPLE], next: null } },
  countCases: { answer: { open: 12, mine: 4, unassigned: 5, overdue: 1, users: ['mira@brewline.example'] } },
  openCase: { body: { subject: CASE_EXAMPLE.subject }, answer: CASE_EXAMPLE },
  changeCases: { body: { numbers: [42, 43], status: 'closed' }, answer: { changed: 2 } },
  getCase: { answer: DETAIL },
  changeCase: { body: { priority: 'high' }, answer: { ...CASE_EXAMPLE, priority: 'high' } },
  addToCase: { body: { note: NOTE.text }, answer: DETAIL },
  decideCase: { body: { action: 'deny', label: 'fraud', list: 'deny' }, answer: DECIDED },
  undoCaseDecision: { answer: DETAIL },
}
