import { randomUUID } from 'node:crypto'
import {
  CompiledQuery,
  createQueryId,
  type Kysely,
  type KyselyPlugin,
  type RootOperationNode,
  SqliteAdapter,
  sql,
} from 'kysely'
import { expect, test } from 'vitest'
import { accountSurface } from '../../test/account/account-surface.ts'
import { directFrom, storeVisit } from '../../test/account/stored-visits.ts'
import type { Schema } from '../store/schema.ts'
import { findOperations } from './find.ts'

/** Keeps every query that is executed. Parts of queries go through a plugin as well, but have no result. */
function recorder(): KyselyPlugin & { seen: RootOperationNode[] } {
  const nodes = new WeakMap<object, RootOperationNode>()
  const seen: RootOperationNode[] = []
  return {
    seen,
    transformQuery({ node, queryId }) {
      nodes.set(queryId, node)
      return node
    },
    transformResult({ result, queryId }) {
      const node = nodes.get(queryId)
      if (node) seen.push(node)
      return Promise.resolve(result)
    },
  }
}

/** The lines of the plan of a query. */
async function planOf(
  db: Kysely<Schema>,
  node: RootOperationNode,
): Promise<{ text: string; plan: string[] }> {
  const isSqlite = db.getExecutor().adapter instanceof SqliteAdapter
  const { sql: text, parameters } = db.getExecutor().compileQuery(node, createQueryId())
  return db.transaction().execute(async (transaction) => {
    // A table that is nearly empty is read as a whole otherwise.
    if (!isSqlite) await sql`set local enable_seqscan = off`.execute(transaction)
    const explain = `${isSqlite ? 'explain query plan' : 'explain'} ${text}`
    const { rows } = await transaction.executeQuery<Record<string, unknown>>(
      CompiledQuery.raw(explain, [...parameters]),
    )
    return { text, plan: rows.map((row) => String(isSqlite ? row.detail : row['QUERY PLAN'])) }
  })
}

/** A limited subquery, which reads no more than that of its index. */
const LIMITED = /\b(near|some|newest)\b/

/** Reads of a table that no condition on an index bounds. All of a domain's rows are too many. */
function unbounded(plan: readonly string[]): string[] {
  const isLimited = plan.some((line) => LIMITED.test(line))
  return plan.filter((line, index) => {
    if (/^SCAN /.test(line)) return !LIMITED.test(line)
    if (/Seq Scan on/.test(line)) return true
    // Which index PostgreSQL prefers says nothing while a table has one row; SQLite, with the same ones, goes by its rules.
    if (/Index (Only )?Scan|Bitmap Index Scan/.test(line)) return !/Index Cond/.test(plan[index + 1] ?? '')
    return !isLimited && line.includes('(domain_id=?)')
  })
}

test.each([
  ['the beginning of an ID', 'abcdef'],
  ['a whole ID', randomUUID()],
  ['an account', 'ada'],
  ['an address', '192.0.2.44'],
  ['an IPv6 address', '2001:db8::1'],
  ['a network', '192.0.2.0/24'],
  ['an IPv6 network', '2001:db8::/32'],
  ['an autonomous system', 'AS13335'],
  ['a country', 'France'],
  ['a number', '12'],
  ['a pattern', 'accounts on one'],
])('%s is looked up with an index alone', async (_, q) => {
  const surface = await accountSurface()
  await storeVisit(surface, {
    userHid: 'ada',
    identity: { deviceId: `abcdef${randomUUID().slice(6)}`, visitorId: randomUUID(), components: [] },
    ...directFrom('192.0.2.44'),
  })
  const record = recorder()
  const store = { ...surface.store, reads: surface.store.reads.withPlugin(record) }
  const call = { params: { domain: 'shop.example' }, query: { q } }
  await findOperations.findAnything(call as never, { store, now: () => surface.clock.nowMs } as never)
  // Of the domain by its name, and at least of accounts and lists.
  expect(record.seen.length).toBeGreaterThan(2)
  for (const node of record.seen) {
    const { text, plan } = await planOf(surface.store.writes, node)
    expect(unbounded(plan), `${text}\n${plan.join('\n')}`).toEqual([])
  }
})
