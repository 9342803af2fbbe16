import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { registerDomain } from '../packages/server/src/auth/register-domain.ts'
import { openServerSecrets } from '../packages/server/src/auth/server-secrets.ts'
import { addFirstOwner } from '../packages/server/src/auth/users.ts'
import { readConfig } from '../packages/server/src/composition/config.ts'
import { startServer } from '../packages/server/src/composition/start-server.ts'
import { READY_MADE_SETS } from '../packages/server/src/decide/ready-made-rules.ts'
import { DAY_MS } from '../packages/server/src/lib/durations.ts'
import { freePort } from '../packages/server/src/lib/free-port.ts'
import { createLog } from '../packages/server/src/lib/log.ts'
import { createSecretBox } from '../packages/server/src/lib/secret-box.ts'
import { uuidToText } from '../packages/server/src/lib/uuid.ts'
import { caseStore } from '../packages/server/src/store/cases/cases.ts'
import { decisionRuleStore } from '../packages/server/src/store/decision-rules/decision-rules.ts'
import { ruleHitStore } from '../packages/server/src/store/decision-rules/rule-hits.ts'
import { domainStore } from '../packages/server/src/store/domains/domains.ts'
import { openStore } from '../packages/server/src/store/open-store.ts'
import type { Store } from '../packages/server/src/store/store.ts'
import { launchChromium } from '../test/browsers.ts'
import { seedDemo } from './demo-data/seed-demo.ts'

/** Takes the screenshots of the dashboard, from a real server with a month of demo data. */
const imagePath = (name: string): string => new URL(`../docs/images/${name}.png`, import.meta.url).pathname

const DOMAIN = 'shop.example'
const VISITS = 4_000

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
const account = await accountWithMostDevices(store)
const robot = await automatedVisitOf(store)
await addDecisionRules(store)
await addCase(store)
await store.close()

/** To add a page, add a line: file name, address, and a text that appears once the page has loaded. */
const PICTURES = [
  { name: 'dashboard-overview', path: `d/${DOMAIN}/overview`, shows: 'Germany' },
  { name: 'dashboard-data', path: `d/${DOMAIN}/identifications`, shows: '50 shown' },
  { name: 'dashboard-identification', path: `d/${DOMAIN}/identifications/${robot}`, shows: 'Raw snapshot' },
  {
    name: 'dashboard-entity',
    path: `d/${DOMAIN}/entity?type=user_hid&value=${account}`,
    shows: 'more are not drawn',
    fullPage: true,
  },
  { name: 'dashboard-decision-rule', path: `d/${DOMAIN}/decision-rules/2`, shows: 'velocity.device' },
  { name: 'dashboard-case', path: `d/${DOMAIN}/cases/1`, shows: 'Known of it' },
  { name: 'dashboard-webhooks', path: `d/${DOMAIN}/webhooks`, shows: 'backend.example' },
]

const port = await freePort('127.0.0.1')
const settings = readConfig({ PORT: String(port), DATA_DIR: directory, FEEDS: 'off', TURN_PORT: 'off' })
const server = await startServer(settings, createLog('warn'))
const browser = await launchChromium()
try {
  const page = await browser.newPage({ viewport: { width: 1280, height: 900 }, locale: 'en-GB' })
  await page.goto(`${server.address}/dashboard/login`)
  await page.getByLabel('Email').fill(login.email)
  await page.locator('input[name=password]').fill(login.password)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('button', { name: 'Signed in as' }).waitFor()
  for (const { name, path, shows, fullPage = false } of PICTURES) {
    await page.goto(`${server.address}/dashboard/${path}`)
    await page.getByText(shows).first().waitFor()
    await page.screenshot({ path: imagePath(name), fullPage })
  }
} finally {
  await browser.close()
  await server.close()
  await rm(directory, { recursive: true, force: true })
}

/** The ready-made rules of sign-up, with a week of hits. */
async function addDecisionRules({ reads, writes }: Store): Promise<void> {
  const domainId = (await domainStore(reads).find(DOMAIN))?.id ?? 0
  const nowMs = Date.now()
  const today = nowMs - (nowMs % DAY_MS)
  const rules = READY_MADE_SETS.find(({ id }) => id === 'signup')?.rules ?? []
  await writes.transaction().execute(async (transaction) => {
    for (const [index, rule] of rules.entries()) {
      const state = index === 0 ? ('on' as const) : ('shadow' as const)
      await decisionRuleStore(transaction).add(
        domainId,
        { ...rule, state },
        { actor: login?.email ?? '', nowMs },
      )
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
async function addCase({ reads, writes }: Store): Promise<void> {
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
      assignee: login?.email ?? null,
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
      author: login?.email ?? '',
      body: { text: 'Five devices in a week, all behind the same hosting provider.' },
    })
  })
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
