import { sql } from 'kysely'
import { seedDemo } from '../../../scripts/demo-data/seed-demo.ts'
import { addApiKey } from '../../server/src/auth/api-keys.ts'
import { READY_MADE_SETS } from '../../server/src/decide/ready-made-rules.ts'
import { alertChannelStore, alertRuleStore } from '../../server/src/store/alerts/alert-rules.ts'
import { recordAlertEvents } from '../../server/src/store/alerts/record-events.ts'
import { caseStore } from '../../server/src/store/cases/cases.ts'
import { decisionRuleStore } from '../../server/src/store/decision-rules/decision-rules.ts'
import { agentPolicyStore } from '../../server/src/store/domains/agent-policies.ts'
import { domainStore } from '../../server/src/store/domains/domains.ts'
import { labelStore } from '../../server/src/store/labels/labels.ts'
import { listStore } from '../../server/src/store/lists/list-entries.ts'
import { startDashboardServer } from '../../server/test/dashboard/dashboard-server.ts'
import type { TestServer } from '../../server/test/running-server.ts'
import { addDecisions } from './add-decisions.ts'

/** Visits that pass through all stages and get devices, verdicts, snapshots, versions and deliveries. */
const MADE = 2_000
/** Copies of the rows, each a month earlier, because a hundred thousand visits through all stages are slow. */
const COPIES = 49
const DAYS = 30

export interface SeededServer extends TestServer {
  /** All identifications of shop.example. */
  identifications: number
  close(): Promise<void>
}

/** A server with fifty months of traffic on shop.example, and two domains without traffic. */
export async function startSeededServer(): Promise<SeededServer> {
  const server = await startDashboardServer({ otherDomains: ['rotated.example', 'hooks.example'] })
  const made = await seedDemo(server.store, server.box, {
    domain: server.keys.domain,
    days: DAYS,
    count: MADE,
    seed: 1,
    endMs: Date.now(),
    add: false,
    onProgress: () => {},
  })
  for (let copy = 1; copy <= COPIES; copy++) await copyRows(server, copy, made)
  await saveAgentRules(server)
  await saveDecisionRules(server)
  await addDecisions(server.store, server.keys.domain, 20)
  await saveCase(server)
  await saveAlert(server)
  return { ...server, identifications: made * (1 + COPIES) }
}

/** One rule for agents, so that the page of the rules shows every field of one. */
async function saveAgentRules({ store, keys }: TestServer): Promise<void> {
  const row = await domainStore(store.reads).find(keys.domain)
  await store.writes.transaction().execute((transaction) =>
    agentPolicyStore(transaction).save(
      row?.id ?? 0,
      {
        rules: [{ action: 'limit', per_minute: 30, category: ['assistant'], path: '/cart*' }],
        actor: 'seed',
        note: '',
      },
      Date.now(),
    ),
  )
}

/** A set of rules, an entry of a list, labels and a named key, so that their pages show tables. */
async function saveDecisionRules({ store, keys }: TestServer): Promise<void> {
  const row = await domainStore(store.reads).find(keys.domain)
  const domainId = row?.id ?? 0
  const nowMs = Date.now()
  await store.writes.transaction().execute(async (transaction) => {
    for (const rule of READY_MADE_SETS.find(({ id }) => id === 'signup')?.rules ?? [])
      await decisionRuleStore(transaction).add(
        domainId,
        { ...rule, state: 'shadow' },
        { actor: 'seed', nowMs },
      )
    const entry = { list: 'allow', kind: 'account', value: 'crew-17', expiresAtMs: undefined } as const
    const key = { name: 'Checkout', scopes: ['decide'], expiresAtMs: nowMs + 86_400_000 } as const
    await addApiKey(transaction, domainId, key, { actor: 'seed', nowMs })
    await listStore(transaction).save(domainId, [{ ...entry, reason: 'Our own testers' }], {
      author: 'seed',
      nowMs,
    })
    const label = { kind: 'chargeback', source: 'payment_provider', atMs: nowMs, note: 'Order 1042' }
    await labelStore(transaction).save(
      domainId,
      [
        { ...label, subject: { type: 'account', value: 'crew-18' } },
        { ...label, subject: { type: 'request', value: '6f1c5a70-3c0f-4b8e-9a43-0d5c2b8f7e11' } },
      ],
      { author: 'seed', nowMs },
    )
  })
}

/** A case about an account that has visits, with a note, so that its page shows every part. */
async function saveCase({ store, keys }: TestServer): Promise<void> {
  const row = await domainStore(store.reads).find(keys.domain)
  const domainId = row?.id ?? 0
  const { user_hid } = await store.reads
    .selectFrom('identifications')
    .select('user_hid')
    .where('user_hid', 'like', 'u%')
    .limit(1)
    .executeTakeFirstOrThrow()
  const nowMs = Date.now()
  await store.writes.transaction().execute(async (transaction) => {
    const cases = caseStore(transaction)
    const added = await cases.add({
      domain_id: domainId,
      title: 'Review asked for at signup',
      subject_type: 'account',
      subject_value: user_hid,
      source: 'rule',
      status: 'open',
      priority: 'normal',
      assignee: null,
      due_at: nowMs - 1,
      reviews: 2,
      outcome: null,
      opened_by: 'server',
      opened_at: nowMs,
      changed_at: nowMs,
      closed_at: null,
    })
    if (!added) throw new Error('the case was not added')
    const note = { kind: 'note', atMs: nowMs, author: 'seed', body: { text: 'Seen before?' } } as const
    await cases.addEvent(domainId, added.id, note)
  })
}

/** A rule, a muted one, a channel and an alert, so that the page shows every table. */
async function saveAlert({ store, box, keys }: TestServer): Promise<void> {
  const row = await domainStore(store.reads).find(keys.domain)
  const domain_id = row?.id ?? 0
  const nowMs = Date.now()
  const settings = { kind: 'email', addresses: ['team@shop.example'] }
  await store.writes.transaction().execute(async (transaction) => {
    const channel = await alertChannelStore(transaction).add({
      ...{ domain_id, name: 'Fraud team', kind: 'email', target: 'team@shop.example', signed: 0 },
      ...{ sealed_settings: box.seal(JSON.stringify(settings)), created_at: nowMs },
    })
    const common = {
      ...({ domain_id, source: 'finding', group_minutes: 60, enabled: 1, watched_since: nowMs } as const),
      ...{ condition: JSON.stringify({ source: 'finding', patterns: [], grade: 'dangerous' }) },
      ...{ channels: JSON.stringify([channel?.id]), bad_checks: null, created_at: nowMs },
    }
    const rule = await alertRuleStore(transaction).add({ ...common, name: 'Patterns', muted_until: null })
    await alertRuleStore(transaction).add({ ...common, name: 'Muted', muted_until: nowMs + 86_400_000 })
    if (!rule) throw new Error('the rule was not added')
    const event = {
      ...{ key: 'finding:1:1', atMs: nowMs, reference: 'finding:1', path: `/d/${keys.domain}/patterns/1` },
      text: 'Many accounts on one device: dangerous, 12',
    }
    await recordAlertEvents(transaction, rule, [event], nowMs)
  })
}

/** Copies the rows alone, under new request IDs. */
async function copyRows({ store }: TestServer, copy: number, through: number): Promise<void> {
  const { rows } = await sql<{ name: string }>`select name from pragma_table_info('identifications')`.execute(
    store.reads,
  )
  const names = rows.map(({ name }) => name).filter((name) => name !== 'id')
  const earlierMs = copy * DAYS * 86_400_000
  const values = names.map((name) => {
    if (name === 'request_id') return sql`unhex(printf('%08x', ${copy}) || substr(hex(request_id), 9))`
    if (name === 'created_at' || name === 'ver') return sql`${sql.ref(name)} - ${earlierMs}`
    return sql.ref(name)
  })
  await sql`insert into identifications (${sql.join(names.map((name) => sql.ref(name)))})
    select ${sql.join(values)} from identifications where id <= ${through}`.execute(store.writes)
}
