import { randomUUID } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { SCORED_BANDS } from '@inkling/contract'
import { LatestBackTest, SessionAnswer, SystemHealth } from '@inkling/contract/account'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { domainRulesStore } from '../src/store/domains/domain-rules.ts'
import { readVerdict } from '../src/store/identifications/identification-row.ts'
import { AUTOMATED, ordinaryBody } from './contract/bodies.ts'
import { from } from './contract/roomy-settings.ts'
import { OWNER, PASSWORD, startDashboardServer } from './dashboard/dashboard-server.ts'
import { runCli } from './run-cli.ts'
import { postSnapshot, type TestServer } from './running-server.ts'

let server: TestServer & { close(): Promise<void> }
let token: string

beforeAll(async () => {
  server = await startDashboardServer({ otherDomains: ['other.example'] })
  const answer = await fetch(`${server.url}/account/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: OWNER, password: PASSWORD }),
  })
  token = SessionAnswer.parse(await answer.json()).access_token
})
afterAll(() => server?.close())

async function account(method: string, path: string, body?: object) {
  const answer = await fetch(`${server.url}/account/domains/shop.example/${path}`, {
    method,
    headers: { authorization: `Bearer ${token}`, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  })
  return answer.json()
}

const latestBackTest = async () => LatestBackTest.parse(await account('GET', 'back-test')).back_test

let visitors = 0

/** Sends an automated visit and returns its score. */
async function automatedVisit(keys = server.keys) {
  const requestId = randomUUID()
  visitors += 1
  const headers = from(`91.0.1.${visitors}`)
  await postSnapshot({ url: server.url, keys }, requestId, ordinaryBody({}, AUTOMATED), headers)
  const row = await server.store.reads
    .selectFrom('identifications')
    .select(['score', 'verdict'])
    .orderBy('id', 'desc')
    .executeTakeFirstOrThrow()
  return { score: row.score, rules: readVerdict(row.verdict).rules }
}

test('visits are scored with the saved weights of their domain until they are reverted', async () => {
  const [other] = server.others
  const weights = { browser_automation: 35 }
  const released = await automatedVisit()
  expect(released).toEqual({ score: expect.any(Number), rules: undefined })
  expect(released.score).toBeGreaterThanOrEqual(60)

  await account('POST', 'rules', { weights, note: 'we test with robots' })
  expect(await automatedVisit()).toEqual({ score: released.score - 25, rules: 1 })
  expect(await automatedVisit(other)).toEqual(released)

  await account('PATCH', 'rules', { version: null })
  expect(await automatedVisit()).toEqual(released)
})

test('weights that another process saved apply here without a restart', async () => {
  const rules = { weights: { browser_automation: 0 }, actor: 'elsewhere', note: '' }
  await server.store.writes
    .transaction()
    .execute((transaction) => domainRulesStore(transaction).save(1, rules, Date.now()))
  await vi.waitFor(async () => expect((await automatedVisit()).score).toBeLessThan(60), { timeout: 30_000 })
  await account('PATCH', 'rules', { version: null })
})

test('a back-test has the same result as the command line on the same visits', async () => {
  const weights = { browser_automation: 45, timezone_mismatch: 0 }
  await account('POST', 'back-test', { weights, days: 1 })
  await vi.waitUntil(async () => (await latestBackTest())?.state === 'done', { timeout: 20_000 })
  const report = (await latestBackTest())?.report

  const file = join(server.directory, 'rules.json')
  await writeFile(file, JSON.stringify({ weights }))
  const environment = { DATA_DIR: server.directory, PATH: process.env.PATH ?? '' }
  const { stdout } = await runCli(
    ['rescore', 'shop.example', '--rules', file, '--dry-run', '--json'],
    environment,
  )
  const { identifications, changed, by_band } = JSON.parse(stdout)
  expect(identifications).toBeGreaterThan(2)
  expect([report?.identifications, report?.changed]).toEqual([identifications, changed])
  for (const band of SCORED_BANDS)
    expect(by_band[band], band).toEqual({
      before: sum(SCORED_BANDS.map((after) => report?.matrix[band][after] ?? 0)),
      after: sum(SCORED_BANDS.map((before) => report?.matrix[before][band] ?? 0)),
    })
})

const sum = (numbers: number[]): number => numbers.reduce((total, number) => total + number, 0)

test('system health shows the state of the installation', async () => {
  const answer = await fetch(`${server.url}/account/health`, {
    headers: { authorization: `Bearer ${token}` },
  })
  const health = SystemHealth.strict().parse(await answer.json())
  expect(health.version).toMatch(/^\d+\.\d+\.\d+/)
  expect(health.database.rows).toBeGreaterThan(3)
  expect(health.database.bytes).toBeGreaterThan(100_000)
  const states = new Map(health.checks.map(({ check, state }) => [check, state]))
  expect(states.get('evidence: network check')).toBe('warn')
  expect(states.get('node')).toBe('ok')
  // Nobody set its volume.
  expect(states.has('volume of other.example')).toBe(false)
})
