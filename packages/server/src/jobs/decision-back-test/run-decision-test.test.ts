import { expect, test } from 'vitest'
import { numbersFrom } from '../../../test/numbers-from.ts'
import { storeLaterVersion } from '../../../test/store-later-version.ts'
import { temporaryStore } from '../../../test/temporary-store.ts'
import { variedVisits } from '../../../test/varied-visits.ts'
import { type Decision, decide } from '../../decide/decide.ts'
import { type DecisionQuestion, factsOf } from '../../decide/decision-facts.ts'
import { READY_MADE_SETS } from '../../decide/ready-made-rules.ts'
import { ruleSetOf } from '../../decide/rule-set.ts'
import type { DecisionRules } from '../../store/decision-rules/decision-rules.ts'
import { type IdentificationRow, identificationStore } from '../../store/identifications/identifications.ts'
import { readLabels } from '../../store/labels/read-labels.ts'
import { wilsonInterval } from './label-agreement.ts'
import { runDecisionTest } from './run-decision-test.ts'
import { type StoredQuestion, storedQuestions } from './stored-questions.ts'

const VISITS = 1_200
const NOW_MS = Date.UTC(2026, 10, 21)

/** All ready-made rules, one by the customer's own fields, and one that fails for some visits. */
const RULES: DecisionRules = {
  rules: [
    ...READY_MADE_SETS.flatMap(({ rules }) => rules),
    {
      name: 'Own',
      condition: 'fields.amount > 50',
      effect: { points: 20, cap: 100 },
      priority: 0,
      purposes: null,
    },
    {
      name: 'Network',
      condition: 'asn < 100',
      effect: { action: 'deny' as const },
      priority: 0,
      purposes: null,
    },
  ].map((text, index) => ({ ...text, id: index + 1, version: 1, state: 'on' })),
  thresholds: { review: 20, challenge: 40, deny: 80 },
}

const PURPOSES = ['signup', 'login', 'payment', 'promotion', 'scraping'] as const

function questionAbout({ id, created_at }: IdentificationRow): DecisionQuestion {
  return {
    purpose: PURPOSES[id % PURPOSES.length] ?? 'custom',
    fields: id % 2 ? { amount: id % 100 } : {},
    atMs: created_at + (id % 700) * 1_000,
    ...(id % 7 === 0 && { account: 'named' }),
    ...(id % 4 === 0 && { clientAddress: id % 8 === 0 ? '192.0.2.77' : '::ffff:198.51.100.7' }),
    ...(id % 31 === 0 && { lists: [{ list: 'watch', kind: 'account', value: 'named', reason: '' }] }),
  }
}

test('a replay of what was asked decides as it was decided, in every case', async () => {
  const { store, domainId } = await temporaryStore()
  const nextVisit = variedVisits(numbersFrom(5), { count: VISITS + 1, domainId })
  await Promise.all(
    Array.from({ length: VISITS }, (_, index) => {
      // Several in a millisecond, so that pages end between equals.
      const { row, velocity } = nextVisit(NOW_MS - VISITS + Math.floor(index / 3))
      return store.commit({ type: 'identification', row, velocity, snapshot: undefined, outbox: [] })
    }),
  )
  const marker = { ...nextVisit(NOW_MS - 1).row, score: 999 }
  await store.commit({ type: 'identification', row: marker, snapshot: undefined, outbox: [] })
  const live = new Map<number, { question: DecisionQuestion; decision: Decision }>()
  for (const row of await store.reads.selectFrom('identifications').selectAll().execute()) {
    const question = questionAbout(row)
    live.set(row.id, { question, decision: decide(ruleSetOf(RULES), factsOf(row, question)) })
  }
  const span = { domainId, sinceMs: 0, untilMs: NOW_MS, limit: VISITS + 1 }
  const { total, questions } = await storedQuestions(store, span, { source: 'visits', purpose: 'custom' })
  expect(total).toBe(VISITS)
  const seen = new Set<number>()

  async function* asked(): AsyncGenerator<StoredQuestion[]> {
    for await (const batch of questions)
      yield batch.map(({ row }) => {
        seen.add(row.id)
        const known = live.get(row.id)
        if (!known) throw new Error('nobody asked about it')
        expect(decide(ruleSetOf(structuredClone(RULES)), factsOf(row, known.question))).toEqual(
          known.decision,
        )
        return { row, question: known.question, answered: known.decision.action }
      })
  }
  const report = await runDecisionTest(asked(), {
    ...{ before: RULES, after: structuredClone(RULES), labels: await readLabels(store.jobReads, domainId) },
    ...{ reaches: ['direct'], caughtFrom: 'review' },
  })
  expect([seen.size, report.visits, report.changed]).toEqual([VISITS, VISITS, 0])
  // All of it was at stake.
  const { allow, review, challenge, deny } = report.matrix
  for (const count of [allow.allow, review.review, challenge.challenge, deny.deny])
    expect(count).toBeGreaterThan(20)
  expect(report.rules.get(`${RULES.rules.length} Network`)?.failed).toBeGreaterThan(100)
})

test('stored decisions are tested with their own questions, on the visits as they were then', async () => {
  const { store, domainId } = await temporaryStore()
  const nextVisit = variedVisits(numbersFrom(6), { count: 10, domainId })
  const rules: DecisionRules = {
    ...RULES,
    rules: [
      { id: 1, version: 1, name: 'High', condition: 'score >= 60 && fields.amount > 5' },
      { id: 2, version: 1, name: 'Named', condition: 'account == "named"' },
      { id: 3, version: 1, name: 'Others', condition: 'true' },
    ].map((text) => ({
      ...text,
      effect: { action: text.name === 'Others' ? 'allow' : 'deny' },
      ...{ priority: text.name === 'Others' ? -1 : 0, purposes: null, state: 'on' },
    })),
  }
  for (let index = 0; index < 10; index += 1) {
    const row = { ...nextVisit(NOW_MS - 60_000 + index).row, score: index < 5 ? 70 : 10 }
    await store.commit({ type: 'identification', row, snapshot: undefined, outbox: [] })
    const [stored] = (await identificationStore(store.reads).search(domainId, undefined, 1, 0)).rows
    if (!stored?.request_id) throw new Error('the visit is missing')
    const question: DecisionQuestion = {
      ...{ purpose: index < 8 ? 'payment' : 'login', fields: { amount: index * 2 }, atMs: NOW_MS - 30_000 },
      ...(index === 7 && { account: 'named' }),
    }
    const { action } = decide(ruleSetOf(rules), factsOf(stored, question))
    const decision = {
      ...{ domain_id: domainId, request_id: stored.request_id, purpose: question.purpose, action },
      ...{ idempotency_key: null, asked: new Uint8Array(32), account: null, client_address: null },
      ...{ question: JSON.stringify(question), answer: '{}', ver: stored.ver, decided_at: question.atMs },
    }
    await store.commit({ type: 'decision', row: decision })
    // Later evidence changes what would be answered today.
    const later = { ...row, score: 80 - row.score, ver: row.ver + 1 }
    await storeLaterVersion(store, later)
  }
  const span = { domainId, sinceMs: 0, untilMs: NOW_MS, limit: 100 }
  const report = async (after: DecisionRules) => {
    const { questions } = await storedQuestions(store, span, { source: 'decisions', purpose: 'payment' })
    const labels = await readLabels(store.jobReads, domainId)
    return runDecisionTest(questions, {
      before: rules,
      after,
      labels,
      reaches: ['direct'],
      caughtFrom: 'review',
    })
  }
  // Amounts 6 and 8 of the five with a high score, and the named account.
  expect(await report(rules)).toMatchObject({
    visits: 8,
    changed: 0,
    matrix: { deny: { deny: 3 }, allow: { allow: 5 } },
  })
  const others = { ...rules, rules: rules.rules.filter(({ name }) => name !== 'Named') }
  expect(await report(others)).toMatchObject({
    visits: 8,
    changed: 1,
    matrix: { deny: { deny: 2, allow: 1 } },
  })
})

test('shares of few are told with wide intervals', () => {
  expect(wilsonInterval(0, 0)).toBeUndefined()
  expect(wilsonInterval(1, 1)).toMatchObject({ value: 1, high: 1 })
  expect(wilsonInterval(1, 1)?.low).toBeCloseTo(0.2065, 3)
  expect(wilsonInterval(5, 20)?.low).toBeCloseTo(0.1119, 3)
  expect(wilsonInterval(5, 20)?.high).toBeCloseTo(0.4687, 3)
})
