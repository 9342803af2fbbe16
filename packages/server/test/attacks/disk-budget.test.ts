import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { uuidBytesOrNil } from '../../src/lib/uuid.ts'
import { domainStore } from '../../src/store/domains/domains.ts'
import { decompressSnapshot } from '../../src/store/identifications/snapshots.ts'
import { as, history } from '../contract/callers.ts'
import { runCli } from '../run-cli.ts'
import { postSnapshot } from '../running-server.ts'
import { measuredServer } from '../scrape.ts'

const SETTINGS = { INGEST_LIMIT_PER_MINUTE: '100000', HISTORY_LIMIT_PER_SECOND: '1000' }
/** The server reads once a second how much is stored. */
const SOON = { timeout: 30_000 }
const SNAPSHOT_BYTES_MAX = 32 * 1_024

/** Half a megabyte of what no agent sends, and of what agents send far less of. */
const greedyBody = (): string =>
  JSON.stringify({
    version: 1,
    user_hid: 'a'.repeat(1_000),
    landing: { url: `https://shop.example/?${'ü"'.repeat(8_000)}`, referrer: '\u0002'.repeat(10_000) },
    ballast: 'x'.repeat(100_000),
    readings: {
      user_agent: { value: 'Mozilla/5.0', ballast: 'x'.repeat(20_000) },
      automation: { value: { webdriver: true, markers: Array(500).fill('m'.repeat(200)) } },
      timezone: { value: { name: 'Europe/Berlin', offset_minutes: 60, ballast: 'x' } },
      typefaces: { value: Array(40).fill('é'.repeat(40)) },
      missing_apis: { value: Array(512).fill('a'.repeat(100)) },
      unknown_reading: { value: 'x'.repeat(20_000) },
    },
  })

test('of half a megabyte what is known is kept, and scores again as it did', async () => {
  const server = await measuredServer({ settings: SETTINGS })
  const requestId = randomUUID()
  expect((await postSnapshot(server, requestId, greedyBody())).status).toBe(200)
  const { body } = await server.store.reads
    .selectFrom('snapshots')
    .innerJoin('identifications', (join) =>
      join
        .onRef('identifications.domain_id', '=', 'snapshots.domain_id')
        .onRef('identifications.id', '=', 'snapshots.identification_id'),
    )
    .select('snapshots.body')
    .where('request_id', '=', uuidBytesOrNil(requestId))
    .executeTakeFirstOrThrow()
  const text = decompressSnapshot(body)
  expect(Buffer.byteLength(text)).toBeLessThan(SNAPSHOT_BYTES_MAX)
  expect(text).not.toMatch(/ballast|unknown_reading/)
  expect(JSON.parse(text).body.readings).toEqual({
    user_agent: { value: 'Mozilla/5.0' },
    timezone: { value: { name: 'Europe/Berlin', offset_minutes: 60 } },
    typefaces: { value: Array(40).fill('é'.repeat(40)) },
  })
  const { stdout } = await runCli(['rescore', 'shop.example', '--dry-run', '--json'], {
    DATA_DIR: server.directory,
  })
  expect(JSON.parse(stdout)).toMatchObject({ identifications: 1, changed: 0 })
})

test('a domain at its disk budget gets 503 while others go on, and what is stored can be read', async () => {
  const server = await measuredServer({ settings: SETTINGS, otherDomains: ['other.example'] })
  const [keys] = server.others
  if (!keys) throw new Error('no other domain')
  const other = as(server, keys)
  const post = (to = server) => postSnapshot(to, randomUUID(), '{}')
  const budget = async (megabytes: number) => {
    const limit = ['--disk-budget-mb', String(megabytes), '--json']
    await runCli(['domain', 'set', 'shop.example', ...limit], { DATA_DIR: server.directory })
  }
  expect((await post()).status).toBe(200)
  const domain = await domainStore(server.store.reads).find('shop.example')
  if (!domain) throw new Error('no domain')
  expect(domain.stored_bytes).toBeGreaterThan(1_000)
  const state = async () => (await server.scrape()).value('inkling_disk_limit_state{of="shop.example"}')

  await domainStore(server.store.writes).change(domain.id, { disk_budget: domain.stored_bytes * 20 })
  await expect.poll(state, SOON).toBe(0)
  await domainStore(server.store.writes).change(domain.id, { disk_budget: domain.stored_bytes + 1 })
  await expect.poll(state, SOON).toBe(1)
  expect((await post()).status).toBe(200)
  await expect.poll(state, SOON).toBe(2)
  const refused = await post()
  expect([refused.status, await refused.text()]).toEqual([503, '{"error":"server is busy"}\n'])
  expect((await post(other)).status).toBe(200)
  expect((await history(server, 'latest/all')).json()).toMatchObject({ total: 2 })

  await budget(1_000)
  await expect.poll(async () => (await post()).status, SOON).toBe(200)
})

test('an installation at its disk budget refuses every domain, and says so', async () => {
  const server = await measuredServer({ settings: { ...SETTINGS, DISK_BUDGET_MB: '1' } })
  const body = JSON.stringify({ landing: { url: `https://shop.example/${'x'.repeat(4_000)}` } })
  const post = async () => (await postSnapshot(server, randomUUID(), body)).status
  await expect
    .poll(async () => (await Promise.all(Array.from({ length: 50 }, post))).includes(503), {
      timeout: 30_000,
    })
    .toBe(true)
  expect((await server.scrape()).value('inkling_disk_limit_state{of="database"}')).toBe(2)
  const { stdout } = await runCli(['doctor', '--json'], { DATA_DIR: server.directory, DISK_BUDGET_MB: '1' })
  const checks = JSON.parse(stdout) as { check: string; ok: boolean; detail: string }[]
  expect(checks.find(({ check }) => check === 'database')).toMatchObject({
    ok: false,
    detail: expect.stringContaining('visits are refused'),
  })
})
