import { randomUUID } from 'node:crypto'
import { IdentificationSearch } from '@inkling/contract/account'
import type { Kysely } from 'kysely'
import { describe, expect, test } from 'vitest'
import { accountSurface } from '../../../test/account/account-surface.ts'
import { planOf, recorder } from '../../../test/account/query-plans.ts'
import { temporaryStore } from '../../../test/temporary-store.ts'
import { identificationOperations } from '../../account/identifications.ts'
import { decisionStore } from '../decisions/decisions.ts'
import { replaysOf } from '../erasure/forget-mentions.ts'
import { sightedRows } from '../erasure/sighted-rows.ts'
import { identificationStore } from '../identifications/identifications.ts'
import { labelStore } from '../labels/labels.ts'
import { readLabels } from '../labels/read-labels.ts'
import { deliveryStore, outboxStore } from '../outbox/outbox.ts'
import type { Schema } from '../schema.ts'

/** What SQLite reads of a table that grows for ever. It has no statistics of its own, and chooses for a small table otherwise. */

const PERIOD = { from: '2026-11-20T00:00:00Z', to: '2026-11-21T00:00:00Z' }
const VALUES = { user_hid: 'ada', ip: '192.0.2.1', ip6: '2001:db8::1' }
const IDENTIFIERS = ['device_id', 'visitor_id', 'session_id', 'cookie_id', 'user_hid', 'ip', 'ip6'] as const

describe('a search for one identifier reads its visits alone', () => {
  test.each(
    IDENTIFIERS.flatMap((column) =>
      [{}, PERIOD, { from: PERIOD.from }, { sort: 'riskiest' }, { ...PERIOD, sort: 'riskiest' }].map(
        (given) => [column, given] as const,
      ),
    ),
  )('%s with %j', async (column, given) => {
    const { store } = await accountSurface()
    const value = column in VALUES ? VALUES[column as keyof typeof VALUES] : randomUUID()
    const search = { [column === 'ip6' ? 'ip' : column]: [value], ...given }
    const query = { ...IdentificationSearch.parse(search), limit: 50 }
    const record = recorder()
    const deps = { store: { ...store, reads: store.reads.withPlugin(record) } }
    const call = { params: { domain: 'shop.example' }, query }
    await identificationOperations.searchIdentifications(call as never, deps as never)
    await identificationOperations.countIdentifications(call as never, deps as never)
    const reads = await readsOf('identifications', record.seen, store.writes)
    expect(reads.length).toBeGreaterThan(0)
    for (const line of reads) expect(line).toContain(`(domain_id=? AND ${column}=?`)
  })
})

describe('a job and an erasure read what they need', () => {
  const ID = Buffer.alloc(16, 7)
  test.each<[string, string, string, (db: Kysely<Schema>) => Promise<unknown>]>([
    ['decisions to be compared', 'decisions', 'decisions_stale', (db) => decisionStore(db).stale(10)],
    [
      'events of a visit that wait',
      'outbox',
      'outbox_request (domain_id=? AND request_id=?)',
      (db) => outboxStore(db).ofRequest(1, ID),
    ],
    [
      'attempts for a visit',
      'deliveries',
      '(domain_id=? AND request_id=?)',
      (db) => deliveryStore(db).ofRequest(1, ID),
    ],
    [
      'the visits of a merged device',
      'identifications',
      'identifications_device_id (domain_id=? AND device_id=?)',
      (db) =>
        identificationStore(db).search(
          1,
          { column: 'device_id', value: ID, aliases: [Buffer.alloc(16, 8)] },
          100,
          0,
        ),
    ],
  ])('%s', async (_, table, index, read) => {
    const { store } = await temporaryStore()
    const record = recorder()
    await read(store.reads.withPlugin(record))
    const reads = await readsOf(table, record.seen, store.writes)
    expect(reads.length).toBeGreaterThan(0)
    for (const line of reads) expect(line).toContain(index)
  })
})

test.each<[string, (db: Kysely<Schema>) => Promise<unknown>]>([
  ['visits that saw an address', (db) => sightedRows(db, 1, { type: 'ip', value: '192.0.2.1' })],
  ['replays', (db) => replaysOf(db, 1)],
])('the pages of an erasure begin where the last one ended: %s', async (_, read) => {
  const { store } = await temporaryStore()
  const record = recorder()
  await read(store.reads.withPlugin(record))
  const lines = await linesOf(record.seen, store.writes)
  expect(lines.length).toBeGreaterThan(0)
  // Otherwise each page reads the whole domain and sorts it.
  for (const line of lines) expect(line).not.toContain('TEMP B-TREE')
  expect(lines.join('\n')).toMatch(/\b(rowid|identification_id)>\?/)
})

test('visits with labels are found by their request IDs', async () => {
  const { store, domainId } = await temporaryStore()
  const subject = { type: 'request' as const, value: randomUUID() }
  await store.writes.transaction().execute(async (transaction) => {
    const label = { kind: 'fraud', source: 'review', atMs: 1, note: '', subject }
    await labelStore(transaction).save(domainId, [label], { author: 'a', nowMs: 1 })
  })
  const record = recorder()
  await readLabels(store.reads.withPlugin(record), domainId)
  const reads = await readsOf('identifications', record.seen, store.writes)
  expect(reads).toEqual(['SEARCH identifications USING INDEX identifications_request (request_id=?)'])
})

/** The lines of the plans that read a table. */
async function readsOf(
  table: string,
  nodes: ReturnType<typeof recorder>['seen'],
  db: Kysely<Schema>,
): Promise<string[]> {
  const lines = await linesOf(nodes, db)
  return lines.filter((line) => new RegExp(`^(SCAN|SEARCH) ${table}\\b`).test(line))
}

async function linesOf(nodes: ReturnType<typeof recorder>['seen'], db: Kysely<Schema>): Promise<string[]> {
  const lines: string[] = []
  for (const node of nodes) lines.push(...(await planOf(db, node)).plan)
  return lines
}
