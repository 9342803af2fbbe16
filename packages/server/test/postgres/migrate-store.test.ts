import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { HistoryPage, type HistoryRow } from '@inkling/contract'
import { webhooks } from '@inkling/sdk'
import { expect, onTestFinished, test } from 'vitest'
import { DATABASE_FILE } from '../../src/store/data-dir.ts'
import { MOVED_TABLES, UNMOVED_TABLES } from '../../src/store/move/moved-tables.ts'
import { openPool } from '../../src/store/postgres/pools.ts'
import { encodeNewKeys } from '../../src/store/sqlite/messages.ts'
import { ordinaryBody, uniqueDevice } from '../contract/bodies.ts'
import { runCli } from '../run-cli.ts'
import { getHistory, postSnapshot, type TestServer } from '../running-server.ts'
import { serverOn, steadyVisits } from '../steady-visits.ts'
import { temporaryDirectory } from '../temporary-store.ts'
import { databaseSettings } from '../test-database.ts'
import { webhookReceiver } from '../webhook-receiver.ts'

const BASE = { PATH: process.env.PATH ?? '', WEBHOOK_ALLOW_PRIVATE: 'true' }
const BEFORE = 100
const PAGE = 100
/** Two servers and several commands start on a machine that other tests use as well. */
const LIMIT_MS = 180_000

async function inkling(settings: Record<string, string>, ...args: string[]) {
  const { status, stdout, stderr } = await runCli([...args, '--json'], { ...BASE, ...settings })
  return { status, stderr, json: stdout === '' ? undefined : JSON.parse(stdout) }
}

/** An embedded database with one domain, and an empty PostgreSQL database. */
async function both() {
  const [directory, other] = [await temporaryDirectory(), await temporaryDirectory()]
  const embedded = { DATA_DIR: directory, DATABASE_URL: '' }
  const postgres = { DATA_DIR: other, DATABASE_URL: '', ...(await databaseSettings(other)) }
  const keys: TestServer['keys'] = (await inkling(embedded, 'domain', 'add', 'shop.example')).json
  const move = () => inkling(embedded, 'migrate-store', '--from', 'sqlite', '--to', postgres.DATABASE_URL)
  return { embedded, postgres, keys, move }
}

async function ask(url: string, text: string): Promise<unknown[]> {
  const pool = openPool(url, 'jobs')
  try {
    return (await pool.query(text)).rows
  } finally {
    await pool.end()
  }
}

/** History's response for every visit, by request ID. */
async function everyRow(server: Pick<TestServer, 'url' | 'keys'>): Promise<Map<string, HistoryRow>> {
  const rows = new Map<string, HistoryRow>()
  for (;;) {
    const path = `user_hid/anonymous?limit=${PAGE}&offset=${rows.size}`
    const { data } = HistoryPage.parse(await (await getHistory(server, path)).json())
    for (const row of data) rows.set(row.request_id, row)
    if (data.length < PAGE) return rows
  }
}

async function deviceOf(server: Pick<TestServer, 'url' | 'keys'>, id: string): Promise<string | undefined> {
  const { data } = HistoryPage.parse(await (await getHistory(server, `request_id/${id}`)).json())
  return data[0]?.device_id
}

const rowsOf = (reports: { table: string; rows: number }[], name: string) =>
  reports.find(({ table }) => table === name)?.rows

test(
  'the store moves while visitors come, a second run brings the rest, and all answers as before',
  async () => {
    const { embedded, postgres, keys, move } = await both()
    const receiver = await webhookReceiver()
    const endpoint = (await inkling(embedded, 'webhook', 'add', keys.domain, receiver.url)).json
    const before = await serverOn(embedded, keys)
    const device = uniqueDevice()
    const [first, again] = [randomUUID(), randomUUID()]
    await postSnapshot(before, first, ordinaryBody({}, device))
    const load = steadyVisits(before)
    await load.count(BEFORE)

    const online = await move()
    expect(online).toMatchObject({ status: 0, stderr: '' })
    await load.end()
    const visits = [first, ...load.acknowledged]
    const answers = await everyRow(before)
    expect([...answers.keys()].sort()).toEqual(visits.toSorted())
    await before.close()
    expect(rowsOf(online.json, 'identifications')).toBeLessThan(visits.length)

    const last = await move()
    expect(last).toMatchObject({ status: 0, stderr: '' })
    expect(rowsOf(last.json, 'identifications')).toBe(visits.length)
    const third = await move()
    expect(third.json.map(({ checksum }: { checksum: string }) => checksum)).toEqual(
      last.json.map(({ checksum }: { checksum: string }) => checksum),
    )

    const after = await serverOn(postgres, keys)
    expect(await everyRow(after)).toEqual(answers)

    const { length } = receiver.received
    await postSnapshot(after, again, ordinaryBody({}, device))
    const delivery = (await receiver.count(length + 1)).at(-1)
    const signature = delivery?.headers['x-svc-signature']
    await expect(webhooks.verify(delivery?.body ?? '', signature, endpoint.secret)).resolves.toBeDefined()
    const deviceIds = await Promise.all([first, again].map((id) => deviceOf(after, id)))
    expect(deviceIds[1]).toBe(deviceIds[0])

    const refused = await move()
    expect(refused).toMatchObject({ status: 1, json: undefined })
    expect(refused.stderr).toContain('a server has written to it')
  },
  LIMIT_MS,
)

test('a target with rows is refused and left unchanged', async () => {
  const { postgres, move } = await both()
  await inkling(postgres, 'domain', 'add', 'other.example')
  const refused = await move()
  expect(refused).toMatchObject({ status: 1, json: undefined })
  expect(refused.stderr).toContain('not empty')
  expect((await inkling(postgres, 'domain', 'list')).json).toMatchObject([{ domain: 'other.example' }])
})

test('a target in which a command has changed a key is refused', async () => {
  const { postgres, keys, move } = await both()
  expect((await move()).status).toBe(0)
  await inkling(postgres, 'key', 'rotate', keys.domain, 'api')
  const refused = await move()
  expect(refused).toMatchObject({ status: 1, json: undefined })
  expect(refused.stderr).toContain('has written to it')
})

test('a repeated run corrects missing and different rows', async () => {
  const { embedded, postgres, keys, move } = await both()
  const server = await serverOn(embedded, keys)
  for (let index = 0; index < 5; index += 1) await postSnapshot(server, randomUUID(), ordinaryBody())
  await server.close()
  const db = new DatabaseSync(join(embedded.DATA_DIR, DATABASE_FILE))
  onTestFinished(() => db.close())
  // More than one chunk, with zero bytes in text.
  db.exec(`with recursive times(at) as (select 1 union all select at + 1 from times where at < 2500)
    insert into audit (at, actor, action, target, detail)
    select at, 'a' || char(0) || 'b', 'test', 'ü', '{}' from times`)
  db.exec(
    `insert into rollups select 1, 1, 'test', 0, iif(at % 2, char(0), 'ü') || at, 1, 1, 1, 1 from audit`,
  )
  const whole = await move()
  // The entry of the added domain is one more.
  expect(rowsOf(whole.json, 'audit')).toBe(2_501)
  await ask(
    postgres.DATABASE_URL,
    'delete from identifications where id in (select id from identifications limit 2)',
  )
  await ask(postgres.DATABASE_URL, "update devices set profile = '{}'")
  await ask(postgres.DATABASE_URL, 'delete from audit where at between 900 and 1100')
  await ask(postgres.DATABASE_URL, 'delete from domains')
  const repaired = await move()
  expect(repaired.status).toBe(0)
  expect(repaired.json.map(withoutCopied)).toEqual(whole.json.map(withoutCopied))
  // Only rows that differ are written.
  expect(repaired.json.find(({ table }: { table: string }) => table === 'audit').copied).toBe(2_000)
  expect(await ask(postgres.DATABASE_URL, 'select distinct actor from audit where at = 1')).toEqual([
    { actor: 'a\0b' },
  ])
  expect(await ask(postgres.DATABASE_URL, 'select count(*)::int as rows from request_ids')).toEqual([
    { rows: 5 },
  ])
})

const withoutCopied = ({ copied: _, ...rest }: { copied: number }) => rest

test('removals that a change feed has yet to tell all move, however many there are', async () => {
  const { embedded, postgres, move } = await both()
  const db = new DatabaseSync(join(embedded.DATA_DIR, DATABASE_FILE))
  onTestFinished(() => db.close())
  db.exec(`with recursive numbers(n) as (select 1 union all select n + 1 from numbers where n < 2500)
    insert into late_changes (domain_id, kind, row_id, ver, key)
    select 1, 'removal', 0, 0, 'identification:' || n from numbers`)
  expect(await move()).toMatchObject({ status: 0, stderr: '' })
  expect(await ask(postgres.DATABASE_URL, 'select count(*)::int as rows from late_changes')).toEqual([
    { rows: 2_500 },
  ])
})

test('unlisted keys move one by one, without those that a run has listed', async () => {
  const { embedded, postgres, move } = await both()
  const db = new DatabaseSync(join(embedded.DATA_DIR, DATABASE_FILE))
  onTestFinished(() => db.close())
  const add = db.prepare(
    'insert into unlisted_keys (id, domain_id, family, device, keys) values (?, 1, 9, ?, ?)',
  )
  const keys = [
    { key: 2 ** 52, kind: 3, listed: true },
    { key: 7, kind: undefined, listed: false },
  ]
  for (const id of [1, 2]) add.run(id, id * 10, encodeNewKeys(keys))
  db.prepare('insert into listing_run (id, through, domain_id, key) values (1, 1, 1, 7)').run()

  expect((await move()).status).toBe(0)
  const text = 'select device, key, kind, listed, family from unlisted_keys order by id'
  expect(await ask(postgres.DATABASE_URL, text)).toEqual([
    { device: 10, key: 2 ** 52, kind: 3, listed: true, family: 9 },
    { device: 20, key: 2 ** 52, kind: 3, listed: true, family: 9 },
    { device: 20, key: 7, kind: null, listed: false, family: 9 },
  ])
})

test('every table moves, and new IDs continue after the highest one', async () => {
  const { embedded, postgres, move } = await both()
  const db = new DatabaseSync(join(embedded.DATA_DIR, DATABASE_FILE))
  onTestFinished(() => db.close())
  const tables = db
    .prepare("select name from sqlite_schema where type = 'table' and name not like 'sqlite%'")
    .all()
    .map(({ name }) => String(name))
  const moved = MOVED_TABLES.map(({ name }) => name)
  expect(tables.filter((name) => !moved.includes(name) && !UNMOVED_TABLES.includes(name))).toEqual([])

  db.exec("update sqlite_sequence set seq = 41 where name = 'domains'")
  db.exec("insert into sqlite_sequence (name, seq) values ('sessions', 99)")
  expect((await move()).status).toBe(0)
  await inkling(postgres, 'domain', 'add', 'next.example')
  expect(await ask(postgres.DATABASE_URL, "select id::int from domains where name = 'next.example'")).toEqual(
    [{ id: 42 }],
  )
  expect(
    await ask(postgres.DATABASE_URL, "select nextval(pg_get_serial_sequence('sessions', 'id'))::int as next"),
  ).toEqual([{ next: 100 }])
})

test('wrong usage exits with status 2, a missing database with status 1', async () => {
  const to = 'postgres://127.0.0.1:1/none'
  for (const args of [
    ['--to', to],
    ['--from', 'sqlite'],
    ['--from', 'other', '--to', to],
    ['--from', 'sqlite', '--to', 'x'],
  ])
    expect((await inkling({}, 'migrate-store', ...args)).status).toBe(2)
  const DATA_DIR = await temporaryDirectory()
  expect(await inkling({ DATA_DIR }, 'migrate-store', '--from', 'sqlite', '--to', to)).toMatchObject({
    status: 1,
  })
})
