import {
  CompiledQuery,
  createQueryId,
  type Kysely,
  type KyselyPlugin,
  type RootOperationNode,
  SqliteAdapter,
  sql,
} from 'kysely'
import type { Schema } from '../../src/store/schema.ts'

/** Keeps every query that is run; what a query has inside of it goes through as well, but has no result. */
export function recorder(): KyselyPlugin & { seen: RootOperationNode[] } {
  const seen: RootOperationNode[] = []
  const nodes = new Map<string, RootOperationNode>()
  return {
    seen,
    transformQuery({ node, queryId }) {
      nodes.set(queryId.queryId, node)
      return node
    },
    transformResult({ result, queryId }) {
      const node = nodes.get(queryId.queryId)
      if (node) seen.push(node)
      return Promise.resolve(result)
    },
  }
}

/** The lines of the plan of a query. */
export async function planOf(
  db: Kysely<Schema>,
  node: RootOperationNode,
): Promise<{ text: string; plan: string[] }> {
  const isSqlite = db.getExecutor().adapter instanceof SqliteAdapter
  const { sql: text, parameters } = db.getExecutor().compileQuery(node, createQueryId())
  return db.transaction().execute(async (transaction) => {
    // A table that is nearly empty is read as a whole otherwise, on a worker of a Citus cluster too.
    if (!isSqlite) {
      await sql`set local citus.propagate_set_commands = 'local'`.execute(transaction)
      await sql`set local enable_seqscan = off`.execute(transaction)
    }
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
export function unbounded(plan: readonly string[]): string[] {
  const isLimited = plan.some((line) => LIMITED.test(line))
  return plan.filter((line, index) => {
    if (/^SCAN /.test(line)) return !LIMITED.test(line)
    if (/Seq Scan on/.test(line)) return true
    // Which index PostgreSQL prefers says nothing while a table has one row; SQLite, with the same ones, goes by its rules.
    if (/Index (Only )?Scan|Bitmap Index Scan/.test(line)) return !/Index Cond/.test(plan[index + 1] ?? '')
    return !isLimited && line.includes('(domain_id=?)')
  })
}
