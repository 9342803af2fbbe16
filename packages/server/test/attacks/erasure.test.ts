import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { LabelSubject } from '@inkling/contract'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { ipv4ToNumber, ipv6ToBytes } from '../../src/lib/address.ts'
import { uuidBytesOrNil } from '../../src/lib/uuid.ts'
import { score } from '../../src/score/score.ts'
import { identificationRow } from '../../src/store/identifications/identification-row.ts'
import { decompressSnapshot, snapshotOf } from '../../src/store/identifications/snapshots.ts'
import { labelStore } from '../../src/store/labels/labels.ts'
import { listStore } from '../../src/store/lists/list-entries.ts'
import { cookieKey } from '../../src/visit/known-device.ts'
import { NO_CONNECTION_EVIDENCE, NO_FOLLOW_UP_EVIDENCE, observed } from '../../src/visit/network-evidence.ts'
import { ordinaryBody, uniqueDevice } from '../contract/bodies.ts'
import { identified } from '../identified.ts'
import { sameAddress, sighting } from '../network.ts'
import { runCli } from '../run-cli.ts'
import { postSnapshot, runningServer, type TestServer } from '../running-server.ts'
import { temporaryDirectory } from '../temporary-store.ts'
import { webhookReceiver } from '../webhook-receiver.ts'

/** Somebody with the disk, or with a backup, looks for a person whose data was erased. */

const LIMIT_MS = 240_000
const ACCOUNT = 'ada-7f3c91'
const ADDRESS = '198.51.100.77'
const ADDRESS_6 = '2001:db8:77::7'
/** Seen by the network check alone. */
const SIGHTED_6 = '2001:db8:78::8'
const COOKIE = randomUUID()

/** Every form in which an engine may store a value. */
interface Forms {
  texts: string[]
  bytes: Uint8Array[]
}

const uuidForms = (id: string): Forms => ({ texts: [id], bytes: [uuidBytesOrNil(id)] })

function numberForms(number: number): Forms {
  const [big, little, float] = [Buffer.alloc(8), Buffer.alloc(8), Buffer.alloc(8)]
  big.writeBigUInt64BE(BigInt(number))
  little.writeBigUInt64LE(BigInt(number))
  float.writeDoubleLE(number)
  // SQLite leaves out leading zero bytes.
  return { texts: [String(number)], bytes: [big.subarray(number < 2 ** 32 ? 4 : 1), little, float] }
}

const addressForms = (address: string): Forms => {
  const { texts, bytes } = numberForms(ipv4ToNumber(address) ?? 0)
  return { texts: [address, ...texts], bytes }
}

/** Every file of a folder. Copied first, because a process that reads an open database itself releases its locks. */
async function filesOf(folder: string): Promise<Map<string, Buffer>> {
  const copy = join(await temporaryDirectory(), 'copy')
  await promisify(execFile)('cp', ['-R', folder, copy])
  const found = new Map<string, Buffer>()
  for (const entry of await readdir(copy, { withFileTypes: true, recursive: true }))
    if (entry.isFile()) found.set(entry.name, await readFile(join(entry.parentPath, entry.name)))
  return found
}

/** What PostgreSQL returns of all tables: text, with bytes in hexadecimal. */
async function tablesOf({ store }: TestServer): Promise<Map<string, Buffer>> {
  const { rows } = await sql<{ name: string }>`
    select relname as name from pg_class
    where relkind = 'r' and relnamespace = 'public'::regnamespace`.execute(store.reads)
  const contents = rows.map(async ({ name }) => {
    const table = await sql<{ row: string }>`select t::text as row from ${sql.id(name)} t`.execute(
      store.reads,
    )
    return [name, Buffer.from(table.rows.map(({ row }) => row).join('\n'))] as const
  })
  return new Map(await Promise.all(contents))
}

/** Places that contain the value in one of its forms. */
function placesOf({ texts, bytes }: Forms, places: ReadonlyMap<string, Buffer>): string[] {
  const wanted = [
    ...texts.map((text) => Buffer.from(text)),
    ...bytes.map((packed) => Buffer.from(packed)),
    // As PostgreSQL prints it.
    ...bytes.map((packed) => Buffer.from(Buffer.from(packed).toString('hex'))),
  ]
  return [...places].flatMap(([name, content]) =>
    wanted.some((form) => content.includes(form)) ? [name] : [],
  )
}

const inkling = async (server: TestServer, ...args: string[]) => {
  const { status, stdout, stderr } = await runCli([...args, '--json'], {
    DATA_DIR: server.directory,
    PATH: process.env.PATH ?? '',
  })
  expect([status, stderr]).toEqual([0, ''])
  return JSON.parse(stdout)
}

/** A row that no page can send: of a device whose network check saw another address, or with a sticky verdict. */
async function storeRow(server: TestServer, given: Parameters<typeof identified>[0], change: object = {}) {
  const visit = { requestId: randomUUID(), domain: { ...identified().domain, id: 1 }, atMs: Date.now() }
  const scored = score(identified({ ...visit, ...given }))
  const row = { ...identificationRow(scored), ...change }
  const { type } = await server.store.commit({
    type: 'identification',
    row,
    snapshot: snapshotOf(scored),
    outbox: [],
  })
  expect(type).toBe('stored')
  return scored
}

/** A visit that left a strong verdict, and a later one that names it. */
async function stickyVisits(server: TestServer) {
  const identity = { ...identified().identity, deviceId: randomUUID() }
  const first = await storeRow(server, { identity })
  await server.store.writes
    .insertInto('sticky_verdicts')
    .values({
      domain_id: 1,
      device_id: uuidBytesOrNil(identity.deviceId),
      address: first.address,
      name: 'antidetect_browser',
      description: 'Antidetect browser',
      request_id: uuidBytesOrNil(first.requestId),
      created_at: first.atMs,
    })
    .execute()
  const sticky = { name: 'antidetect_browser', description: 'Antidetect browser', requestId: first.requestId }
  const later = await storeRow(server, { identity, sticky })
  expect(JSON.stringify(later.verdict)).toContain(first.requestId)
  return { first, later }
}

/** Entries of lists and labels about those who are erased. */
async function saidOf({ store }: TestServer, requestId: string): Promise<void> {
  const about = [
    ['account', ACCOUNT],
    ['cookie', COOKIE],
    ['address', ADDRESS],
    ['cidr', `${ADDRESS}/32`],
    ['local_address', ADDRESS_6],
  ] as const
  const listed = about.map(([kind, value]) => ({ kind, value, list: 'deny' as const, reason: '' }))
  const labelled = [...about.filter(([kind]) => kind !== 'cidr'), ['request', requestId] as const]
  const by = { author: 'somebody', nowMs: Date.now() }
  await store.writes.transaction().execute(async (transaction) => {
    const entries = listed.map((entry) => ({ ...entry, expiresAtMs: undefined }))
    await listStore(transaction).save(1, entries, by)
    const labels = labelled.map(([type, value]) => ({
      kind: 'fraud',
      subject: { type: type as LabelSubject, value },
      source: 'review',
      atMs: by.nowMs,
      note: '',
    }))
    await labelStore(transaction).save(1, labels, by)
  })
}

/** A visit over IPv4, whose network check saw an IPv6 address as well; no column has room for it. */
const sightedVisit = (server: TestServer) =>
  storeRow(server, {
    address: '192.0.2.40',
    network: {
      ...NO_CONNECTION_EVIDENCE,
      ...NO_FOLLOW_UP_EVIDENCE,
      turn: observed('turn', { sightings: [sighting('192.0.2.40'), sighting(SIGHTED_6)], late: false }),
    },
    check: sameAddress('192.0.2.40'),
  })

/** All snapshots as text; compressed, they would hide what they hold. */
async function snapshotsOf({ store }: TestServer): Promise<string[]> {
  const rows = await store.reads.selectFrom('snapshots').select('body').execute()
  return rows.map(({ body }) => decompressSnapshot(body))
}

test(
  'nothing of an erased identifier is left in any file, table or later backup, in any form',
  async () => {
    const receiver = await webhookReceiver()
    const server = await runningServer({
      endpoints: [receiver.url],
      settings: { TRUST_PROXY: '127.0.0.1/32', FOLLOW_UP_SECONDS: '0' },
    })
    const visit = (given: object, address: string, readings = {}) =>
      postSnapshot(server, randomUUID(), ordinaryBody(given, readings), { 'x-forwarded-for': address })
    for (let visits = 0; visits < 3; visits++) await visit({ user_hid: ACCOUNT }, `192.0.2.${visits + 1}`)
    // More cookies than a profile has room for: the first is known by its hash alone.
    const device = uniqueDevice()
    for (const cookie of [COOKIE, ...Array.from({ length: 8 }, () => randomUUID())])
      await visit({ cookie_id: cookie }, '192.0.2.20', device)
    await visit({}, ADDRESS)
    await visit({}, ADDRESS_6)
    await storeRow(server, { address: '192.0.2.30' }, { web_rtc_ip: ipv4ToNumber(ADDRESS) })
    await sightedVisit(server)
    const { first, later } = await stickyVisits(server)
    await saidOf(server, first.requestId)
    await receiver.count(14)

    const erased: [string, string, Forms][] = [
      ['user_hid', ACCOUNT, { texts: [ACCOUNT], bytes: [] }],
      ['cookie_id', COOKIE, { ...uuidForms(COOKIE), texts: [COOKIE] }],
      ['ip', ADDRESS, addressForms(ADDRESS)],
      ['ip', ADDRESS_6, { texts: [ADDRESS_6], bytes: [ipv6ToBytes(ADDRESS_6) ?? Buffer.alloc(0)] }],
      ['request_id', first.requestId, uuidForms(first.requestId)],
    ]
    const hash = numberForms(cookieKey(COOKIE))
    const places = () => (server.store.engine === 'sqlite' ? filesOf(server.directory) : tablesOf(server))
    const before = await places()
    for (const [, value, forms] of [...erased, ['cookie hash', '', hash] as const])
      expect([value, placesOf(forms, before).length > 0]).toEqual([value, true])

    const removed: number[] = []
    for (const [type, value] of erased)
      removed.push((await inkling(server, 'erase', server.keys.domain, type, value)).rows)
    expect(removed).toEqual([3, 1, 2, 1, 1])

    expect((await snapshotsOf(server)).join()).toContain(SIGHTED_6)
    const sightedArgs = ['erase', server.keys.domain, 'ip', SIGHTED_6]
    expect(await inkling(server, ...sightedArgs, '--dry-run')).toMatchObject({ rows: 1 })
    expect(await inkling(server, ...sightedArgs)).toEqual({ rows: 1 })
    expect((await snapshotsOf(server)).join()).not.toContain(SIGHTED_6)

    const after = await places()
    for (const [type, value, forms] of [...erased, ['cookie hash', '', hash] as const])
      expect([type, value, placesOf(forms, after)]).toEqual([type, value, []])
    if (server.store.engine === 'sqlite') {
      const folder = await temporaryDirectory()
      await inkling(server, 'backup', join(folder, 'inkling.backup'))
      const backup = await filesOf(folder)
      for (const [type, value, forms] of [...erased, ['cookie hash', '', hash] as const])
        expect([type, value, placesOf(forms, backup)]).toEqual([type, value, []])
    } else expect(await deadRows(server)).toEqual([])

    // What named it is still a verdict, of nobody.
    const explained = await fetch(`${server.url}/api/v1/history/request_id/${later.requestId}`, {
      headers: { authorization: `Bearer ${server.keys.api_key}` },
    })
    const page = (await explained.json()) as { data: { score_details: string }[] }
    expect(page.data[0]?.score_details).toContain(
      'Sticky verdict: Antidetect browser (request 00000000-0000-0000-0000-000000000000)',
    )
  },
  LIMIT_MS,
)

/** Tables with rows that a vacuum would still remove. Counted anew: the statistics of a delete arrive after it. */
async function deadRows({ store }: TestServer): Promise<string[]> {
  await sql`analyze`.execute(store.jobReads)
  const { rows } = await sql<{ name: string }>`
    select relname as name from pg_stat_user_tables
    where n_dead_tup > 0 and (relname like 'identifications%' or relname in
      ('request_ids', 'snapshots', 'versions', 'sticky_verdicts', 'deliveries', 'devices', 'device_keys',
       'list_entries', 'labels'))`.execute(store.reads)
  return rows.map(({ name }) => name)
}

test(
  'a preview says what would go and offers the identifiers beside it, and removes nothing',
  async () => {
    const server = await runningServer({ settings: { TRUST_PROXY: '127.0.0.1/32', FOLLOW_UP_SECONDS: '0' } })
    const cookie = randomUUID()
    const visit = (given: object) =>
      postSnapshot(server, randomUUID(), ordinaryBody(given), { 'x-forwarded-for': ADDRESS })
    await visit({ user_hid: ACCOUNT, cookie_id: cookie })
    await visit({ user_hid: ACCOUNT, cookie_id: cookie })
    await visit({ cookie_id: cookie })
    const command = ['erase', server.keys.domain, 'user_hid', ACCOUNT]

    const preview = await inkling(server, ...command, '--dry-run')
    expect(preview).toMatchObject({ rows: 2, complete: true })
    expect(preview.tables).toContainEqual({ table: 'snapshots', rows: 2 })
    expect(preview.linked).toContainEqual({ type: 'cookie_id', value: cookie, rows: 3 })
    expect(preview.linked).toContainEqual({ type: 'ip', value: ADDRESS, rows: 3 })
    expect(await inkling(server, ...command, '--dry-run')).toEqual(preview)

    const include = ['--include', `cookie_id=${cookie}`]
    expect(await inkling(server, ...command, ...include, '--dry-run')).toMatchObject({ rows: 3 })
    expect(await inkling(server, ...command, ...include)).toEqual({ rows: 3 })
    expect(await inkling(server, ...command, ...include, '--dry-run')).toMatchObject({ rows: 0, linked: [] })
  },
  LIMIT_MS,
)
