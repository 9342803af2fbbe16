import { parseArgs } from 'node:util'
import { type Decision, decide } from '../../packages/server/src/decide/decide.ts'
import { type DecisionQuestion, factsOf } from '../../packages/server/src/decide/decision-facts.ts'
import { READY_MADE_SETS } from '../../packages/server/src/decide/ready-made-rules.ts'
import { ruleSetOf } from '../../packages/server/src/decide/rule-set.ts'
import { runDecisionTest } from '../../packages/server/src/jobs/decision-back-test/run-decision-test.ts'
import { storedQuestions } from '../../packages/server/src/jobs/decision-back-test/stored-questions.ts'
import type { DecisionRules } from '../../packages/server/src/store/decision-rules/decision-rules.ts'
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
 * decided, in every case, and how fast it is, as a command and beside a server.
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

async function replay(background: boolean): Promise<number> {
  const { questions } = await storedQuestions(store, span, { purpose: 'custom' })
  async function* again() {
    for await (const batch of questions)
      yield batch.map(({ row }) => {
        const known = asked.get(keyOf(row.request_id))
        if (!known) throw new Error('nobody asked about it')
        return { row, question: known.question, answered: known.decision.action }
      })
  }
  const startedMs = performance.now()
  const report = await runDecisionTest(again(), {
    ...{
      before: RULES,
      after: structuredClone(RULES),
      background,
      caughtFrom: 'review',
      reaches: ['direct'],
    },
    labels: await readLabels(store.jobReads, domain?.id ?? 0),
  })
  if (report.visits !== count) throw new Error(`${report.visits} visits of ${count}`)
  different += report.changed
  return count / ((performance.now() - startedMs) / 1_000)
}

progress('the same questions are asked again')
const alone = await replay(false)
const beside = await replay(true)
await store.close()

const actions = Object.groupBy(asked.values(), ({ decision }) => decision.action)
console.log(describeMachine())
console.table({
  'as a command': { 'visits per second': Math.round(alone), goal: GOAL_PER_SECOND },
  'beside a server': { 'visits per second': Math.round(beside), goal: GOAL_PER_SECOND },
})
console.log(
  `decisions: ${Object.entries(actions)
    .map(([action, list]) => `${list?.length} ${action}`)
    .join(', ')}; decided otherwise than live: ${different}`,
)
process.exitCode = different > 0 || Math.min(alone, beside) < GOAL_PER_SECOND ? 1 : 0
