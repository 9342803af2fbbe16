import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { addDecisions } from '../packages/dashboard/test/add-decisions.ts'
import { twoDevicesOf } from '../packages/dashboard/test/two-devices-of.ts'
import { giveRole } from '../packages/server/src/auth/domain-roles.ts'
import { invite } from '../packages/server/src/auth/invitations.ts'
import { registerDomain } from '../packages/server/src/auth/register-domain.ts'
import { openServerSecrets } from '../packages/server/src/auth/server-secrets.ts'
import { addFirstOwner, addUser } from '../packages/server/src/auth/users.ts'
import { readConfig } from '../packages/server/src/composition/config.ts'
import { startServer } from '../packages/server/src/composition/start-server.ts'
import { READY_MADE_SETS } from '../packages/server/src/decide/ready-made-rules.ts'
import { runPatterns } from '../packages/server/src/jobs/patterns/run-patterns.ts'
import { DAY_MS } from '../packages/server/src/lib/durations.ts'
import { freePort } from '../packages/server/src/lib/free-port.ts'
import { createLog } from '../packages/server/src/lib/log.ts'
import { createSecretBox } from '../packages/server/src/lib/secret-box.ts'
import { uuidToText } from '../packages/server/src/lib/uuid.ts'
import { caseStore } from '../packages/server/src/store/cases/cases.ts'
import { decisionRuleStore } from '../packages/server/src/store/decision-rules/decision-rules.ts'
import { ruleHitStore } from '../packages/server/src/store/decision-rules/rule-hits.ts'
import { domainStore } from '../packages/server/src/store/domains/domains.ts'
import { listStore } from '../packages/server/src/store/lists/list-entries.ts'
import { openStore } from '../packages/server/src/store/open-store.ts'
import type { Store } from '../packages/server/src/store/store.ts'
import { seedDemo } from './demo-data/seed-demo.ts'

const DOMAIN = 'shop.example'
const VISITS = 4_000

interface PictureServer {
  domain: string
  /** Of the dashboard. */
  root: string
  /** With the most devices. */
  account: string
  /** Two devices of that account. */
  devices: [string, string]
  /** An identification that was refined and has several signals. */
  requestId: string
  /** A page that is signed in as the owner. */
  signIn(browser: Browser): Promise<Page>
  close(): Promise<void>
}

/** A real server with a month of demo data, its patterns, rules, lists, people and a case, for pictures of the dashboard. */
export async function startPictureServer(): Promise<PictureServer> {
  const directory = await mkdtemp(join(tmpdir(), 'inkling-'))
  const store = await openStore({ dataDir: directory })
  const box = createSecretBox((await openServerSecrets(store.secrets)).secret_box_key)
  await registerDomain(store, DOMAIN, Date.now())
  const login = await addFirstOwner(store, Date.now())
  if (!login) throw new Error('the new database was not empty')
  await seedDemo(store, box, {
    domain: DOMAIN,
    days: 30,
    count: VISITS,
    seed: 1,
    endMs: Date.now(),
    add: false,
    onProgress: () => {},
  })
  await runPatterns(store, { settledAfterMs: 0, now: Date.now })
  const account = await accountWithMostDevices(store)
  const devices = await twoDevicesOf(store, account)
  const requestId = await automatedVisitOf(store)
  await addDecisionRules(store, login.email)
  await addDecisions(store, DOMAIN, 200)
  await addCase(store, account, login.email)
  await addListEntries(store, login.email)
  await addPeople(store, login.email)
  await store.close()

  const port = await freePort('127.0.0.1')
  const settings = readConfig({ PORT: String(port), DATA_DIR: directory, FEEDS: 'off', TURN_PORT: 'off' })
  const server = await startServer(settings, createLog('warn'))
  const root = `${server.address}/dashboard`
  return {
    domain: DOMAIN,
    root,
    account,
    devices,
    requestId,
    async signIn(browser) {
      const page = await browser.newPage({ viewport: { width: 1280, height: 900 }, locale: 'en-GB' })
      await page.goto(`${root}/login`)
      await page.getByLabel('E-mail').fill(login.email)
      await page.locator('input[name=password]').fill(login.password)
      await page.getByRole('button', { name: 'Sign in' }).click()
      await page.getByRole('button', { name: 'Signed in as' }).waitFor()
      return page
    },
    async close() {
      await server.close()
      await rm(directory, { recursive: true, force: true })
    },
  }
}

/** The ready-made rules of sign-up, with a week of hits. */
async function addDecisionRules({ reads, writes }: Store, actor: string): Promise<void> {
  const domainId = (await domainStore(reads).find(DOMAIN))?.id ?? 0
  const nowMs = Date.now()
  const today = nowMs - (nowMs % DAY_MS)
  const rules = READY_MADE_SETS.find(({ id }) => id === 'signup')?.rules ?? []
  await writes.transaction().execute(async (transaction) => {
    for (const [index, rule] of rules.entries()) {
      const state = index === 0 ? ('on' as const) : ('shadow' as const)
      await decisionRuleStore(transaction).add(domainId, { ...rule, state }, { actor, nowMs })
      const days = Array.from({ length: 7 }, (_, ago) => ({
        domain_id: domainId,
        rule_id: index + 1,
        day: today - ago * DAY_MS,
        state,
        met: 3 + (((index + 2) * (ago + 5)) % 11),
        failed: 0,
      }))
      await ruleHitStore(transaction).add(days)
    }
  })
}

/** A case about the account with most devices, with a note. */
async function addCase({ reads, writes }: Store, account: string, author: string): Promise<void> {
  const domainId = (await domainStore(reads).find(DOMAIN))?.id ?? 0
  const nowMs = Date.now()
  await writes.transaction().execute(async (transaction) => {
    const added = await caseStore(transaction).add({
      domain_id: domainId,
      title: 'Review asked for at signup',
      subject_type: 'account',
      subject_value: account,
      source: 'rule',
      status: 'open',
      priority: 'high',
      assignee: author,
      due_at: nowMs + DAY_MS,
      reviews: 3,
      outcome: null,
      opened_by: 'server',
      opened_at: nowMs,
      changed_at: nowMs,
      closed_at: null,
    })
    if (!added) throw new Error('the case was not added')
    await caseStore(transaction).addEvent(domainId, added.id, {
      kind: 'note',
      atMs: nowMs,
      author,
      body: { text: 'Five devices in a week, all behind the same hosting provider.' },
    })
  })
}

async function addListEntries({ reads, writes }: Store, author: string): Promise<void> {
  const domainId = (await domainStore(reads).find(DOMAIN))?.id ?? 0
  const nowMs = Date.now()
  await writes.transaction().execute((transaction) =>
    listStore(transaction).save(
      domainId,
      [
        {
          list: 'deny',
          kind: 'cidr',
          value: '203.0.113.0/24',
          reason: 'Card testing, case 1',
          expiresAtMs: undefined,
        },
        {
          list: 'deny',
          kind: 'account',
          value: 'acct_resold',
          reason: 'Sold on a forum',
          expiresAtMs: undefined,
        },
        {
          list: 'watch',
          kind: 'asn',
          value: '64500',
          reason: 'New hosting provider',
          expiresAtMs: nowMs + 30 * DAY_MS,
        },
        {
          list: 'allow',
          kind: 'address',
          value: '198.51.100.7',
          reason: 'Our office',
          expiresAtMs: undefined,
        },
      ],
      { author, nowMs },
    ),
  )
}

/** Users with different roles, two of them members of the domain, and somebody who has not come yet. */
async function addPeople(store: Store, actor: string): Promise<void> {
  const by = { actor, nowMs: Date.now() }
  for (const [name, role] of [
    ['mira', 'analyst'],
    ['noor', 'member'],
    ['ben', 'member'],
  ] as const)
    await addUser(store, { email: `${name}@shop.example`, password: randomUUID(), role }, by)
  const domain = await domainStore(store.reads).find(DOMAIN)
  if (!domain) throw new Error('the domain was not added')
  await store.writes.transaction().execute(async (transaction) => {
    await giveRole(transaction, domain, { email: 'noor@shop.example', role: 'reviewer' }, by)
    await giveRole(transaction, domain, { email: 'ben@shop.example', role: 'integrator' }, by)
  })
  await invite(store, { email: 'kim@shop.example', role: 'analyst' }, by)
}

async function accountWithMostDevices({ reads }: Store): Promise<string> {
  const { user_hid } = await reads
    .selectFrom('identifications')
    .select('user_hid')
    .where('user_hid', '!=', 'anonymous')
    .groupBy('user_hid')
    .orderBy((build) => build.fn.count('device_id').distinct(), 'desc')
    .executeTakeFirstOrThrow()
  return user_hid
}

/** An identification that was refined and has several signals. */
async function automatedVisitOf({ reads }: Store): Promise<string> {
  const { request_id } = await reads
    .selectFrom('identifications')
    .innerJoin('versions', 'versions.identification_id', 'identifications.id')
    .select('request_id')
    .where('identifications.score', '>=', 60)
    .where('identifications.score', '<=', 100)
    .orderBy('identifications.id', 'desc')
    .executeTakeFirstOrThrow()
  return uuidToText(request_id ?? new Uint8Array(16))
}
