import { parseArgs } from 'node:util'
import { DecisionBackTestStart } from '@inkling/contract/account'
import { type Decision, decide } from '../../packages/server/src/decide/decide.ts'
import { type DecisionQuestion, factsOf } from '../../packages/server/src/decide/decision-facts.ts'
import { READY_MADE_SETS } from '../../packages/server/src/decide/ready-made-rules.ts'
import { ruleSetOf } from '../../packages/server/src/decide/rule-set.ts'
import { runDecisionTest } from '../../packages/server/src/jobs/decision-back-test/run-decision-test.ts'
import { storedQuestions } from '../../packages/server/src/jobs/decision-back-test/stored-questions.ts'
import { testDecisionRules } from '../../packages/server/src/jobs/decision-back-test/test-decision-rules.ts'
import {
  type DecisionRules,
  decisionRuleStore,
} from '../../packages/server/src/store/decision-rules/decision-rules.ts'
import { domainStore } from '../../packages/server/src/store/domains/domains.ts'
import { identificationStore } from '../../packages/server/src/store/identifications/identifications.ts'
import { readLabels } from '../../packages/server/src/store/labels/read-labels.ts'
import { openStore } from '../../packages/server/src/store/open-store.ts'
import { variedVisits } from '../../packages/server/test/varied-visits.ts'
import { addDomain } from './inkling/start-inkling.ts'
import { describeMachine } from './lib/describe-machine.ts'
import { progress } from './lib/progress.ts'
import { scratchFolder } from './lib/scratch.ts'
import { seededRandom } from './lib/seeded-random.ts'

/**
 * A back-test of all ready-made rules on stored visits: whether it decides as the live questions about them were
 * decided, in every case; and how fast it is, with the pauses that it makes beside a server.
 */
const { values } = parseArgs({ options: { visits: { type: 'string', default: '100000' } } })
const count = Number(values.visits)
const GOAL_PER_SECOND = 5_000
/** Written or read at once. */
const CHUNK = 1_000

const RULES: DecisionRules = {
  rules: READY_MADE_SETS.flatMap(({ rules }) => rules).map((text, index) => ({
    ...text,
    ...{ id: index + 1, version: 1, state: 'on' },
  })),
  thresholds: { review: 20, challenge: 40, deny: 80 },
}
const PURPOSES = ['signup', 'login', 'payment', 'promotion', 'scraping'] as const

const dataDir = scratchFolder()
await addDomain({ dataDir }, 'bench.example')
const store = await openStore({ dataDir })
const domain = await domainStore(store.reads).find('bench.example')
if (!domain) throw new Error('no domain')
const nextVisit = variedVisits(seededRandom(22), { count, domainId: domain.id })
const untilMs = Date.now()

interface Asked {
  question: DecisionQuestion
  decision: Decision
}
const asked = new Map<string, Asked>()
const keyOf = (requestId: Uint8Array | null): string => Buffer.from(requestId ?? []).toString('hex')

progress(`${count} visits are stored, and each is decided`)
for (let done = 0; done < count; done += CHUNK) {
  const visits = Array.from({ length: Math.min(CHUNK, count - done) }, (_, index) =>
    nextVisit(untilMs - count + done + index),
  )
  await Promise.all(
    visits.map(({ row, velocity }) =>
      store.commit({ type: 'identification', row, velocity, snapshot: undefined, outbox: [] }),
    ),
  )
  await Promise.all(
    visits.map(async ({ row: { request_id: value } }, index) => {
      const { rows } = await identificationStore(store.reads).search(
        domain.id,
        { column: 'request_id', value },
        1,
        0,
      )
      const [row] = rows
      if (!row) throw new Error('a visit is missing')
      const question: DecisionQuestion = {
        purpose: PURPOSES[index % PURPOSES.length] ?? 'custom',
        fields: { amount: index },
        atMs: row.created_at + index * 1_000,
        ...(index % 4 === 0 && { clientAddress: '192.0.2.77' }),
      }
      asked.set(keyOf(value), { question, decision: decide(ruleSetOf(RULES), factsOf(row, question)) })
    }),
  )
}

const span = { domainId: domain.id, sinceMs: 0, untilMs, limit: count }
let different = 0

async function* again() {
  const { questions } = await storedQuestions(store, span, { source: 'visits', purpose: 'custom' })
  for await (const batch of questions)
    yield batch.map(({ row }) => {
      const known = asked.get(keyOf(row.request_id))
      if (!known) throw new Error('nobody asked about it')
      return { row, question: known.question, answered: known.decision.action }
    })
}

async function perSecond(run: () => Promise<{ visits: number }>): Promise<number> {
  const startedMs = performance.now()
  const { visits } = await run()
  if (visits !== count) throw new Error(`${visits} visits of ${count}`)
  return count / ((performance.now() - startedMs) / 1_000)
}

progress('the same questions are asked again')
const labels = await readLabels(store.jobReads, domain.id)
const replayed = await perSecond(async () => {
  const options = { before: RULES, after: structuredClone(RULES), labels }
  const report = await runDecisionTest(again(), { ...options, caughtFrom: 'review', reaches: ['direct'] })
  different += report.changed
  return report
})

progress('all rules are tested against all rules, as beside a server')
await store.writes.transaction().execute(async (transaction) => {
  for (const { id: _id, version: _version, ...text } of RULES.rules)
    await decisionRuleStore(transaction).add(domain.id, text, { actor: 'bench', nowMs: untilMs })
})
const request = DecisionBackTestStart.parse({
  ...{ purpose: 'payment', visits: count, days: 90, keep: false, thresholds: RULES.thresholds },
  rules: RULES.rules.map(({ id: _id, version: _version, ...text }) => text),
})
const tested = await perSecond(async () => {
  const options = { untilMs, onProgress: () => undefined, background: true }
  return (await testDecisionRules(store, domain.id, request, options)).report
})
await store.close()

const actions = Object.groupBy(asked.values(), ({ decision }) => decision.action)
console.log(describeMachine())
console.table({
  replay: { 'visits per second': Math.round(replayed), goal: GOAL_PER_SECOND },
  'back-test beside a server': { 'visits per second': Math.round(tested), goal: GOAL_PER_SECOND },
})
console.log(
  `decisions: ${Object.entries(actions)
    .map(([action, list]) => `${list?.length} ${action}`)
    .join(', ')}; decided otherwise than live: ${different}`,
)
process.exitCode = different > 0 || Math.min(replayed, tested) < GOAL_PER_SECOND ? 1 : 0
