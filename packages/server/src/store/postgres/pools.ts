import type { Socket } from 'node:net'
import { Client, type ClientBase, Pool, type PoolConfig, type QueryConfig, types } from 'pg'
import { escapeZeroBytes, unescapeZeroBytes } from './zero-bytes.ts'

/** Connections by purpose, so that no purpose waits for another. */
// `workerCommits` are for tables that are split over machines, one for each worker.
const CONNECTIONS = {
  commits: 1,
  workerCommits: 8,
  visits: 4,
  requests: 6,
  jobs: 3,
  // Each job holds one while it runs, and a spare.
  locks: 12,
  claims: 2,
  writes: 2,
  longWrites: 2,
  probe: 1,
}
export type Purpose = keyof typeof CONNECTIONS

const COMMITS: readonly Purpose[] = ['commits', 'workerCommits']
/** Those whose transactions send a statement before the one before it is answered: see `withTransaction`. */
const PIPELINED: readonly Purpose[] = [...COMMITS, 'jobs']

/** Releases the locks of a node that died during a transaction. */
const IDLE_IN_TRANSACTION_MS = 30_000
const CONNECT_TIMEOUT_MS = 5_000
/** When a server stops responding, TCP alone notices after fifteen minutes or never. */
const QUERY_TIMEOUT_MS: Partial<Record<Purpose, number>> = {
  commits: 30_000,
  workerCommits: 30_000,
  visits: 30_000,
  requests: 30_000,
  probe: 5_000,
  claims: 30_000,
  // It never waits for a lock that another node has.
  locks: 10_000,
  // With the wait for the transactions of other nodes.
  writes: 60_000,
  // Migrations build indexes, and erasures search whole tables. The reads of jobs, among them vacuums, may take longer
  // still and have no limit.
  longWrites: 600_000,
}
const KEEP_ALIVE_MS = 10_000
/** A new session takes 70 ms and more to plan its first query, because it has to read about all partitions and indexes. */
const IDLE_MS = 600_000
const SERVER_OPTIONS = [
  // Acknowledged data survives a power failure, whatever the server's default.
  'synchronous_commit=on',
  // The server notices within a minute that a node lost power, and releases its locks.
  'tcp_keepalives_idle=30',
  'tcp_keepalives_interval=10',
  'tcp_keepalives_count=3',
  // Citus would open more sessions for statements over several shards and close them again, and each of them begins
  // without what it knows of the tables. Workers still work side by side. Without Citus it is a name without effect.
  'citus.max_adaptive_executor_pool_size=1',
]
/** Visits read few rows by key. A plan that was made while a table was empty must not scan it once it is full. */
const VISIT_OPTIONS = ['enable_seqscan=off']
/** Commits find each row that they read or change by its key, too, in statements with joins. */
const COMMIT_OPTIONS = [...VISIT_OPTIONS, 'enable_hashjoin=off', 'enable_mergejoin=off']

/** The URL without its `options`, which would replace those of the pool, and these options. */
function splitOptions(url: string): { connectionString: string; given: string[] } {
  if (!URL.canParse(url)) return { connectionString: url, given: [] }
  const parsed = new URL(url)
  const given = parsed.searchParams.getAll('options')
  parsed.searchParams.delete('options')
  return { connectionString: given.length > 0 ? parsed.href : url, given }
}

export function openPool(url: string, purpose: Purpose): Pool {
  const { connectionString, given } = splitOptions(url)
  const limitMs = QUERY_TIMEOUT_MS[purpose]
  const own = [...SERVER_OPTIONS, ...plannerOptions(purpose), ...lockOptions(limitMs)].map(
    (option) => `-c ${option}`,
  )
  const config: PoolConfig = {
    connectionString,
    Client: InklingClient,
    max: CONNECTIONS[purpose],
    application_name: `inkling ${purpose}`,
    idleTimeoutMillis: IDLE_MS,
    // Jobs wait for each other without a limit.
    connectionTimeoutMillis: purpose === 'jobs' ? 0 : CONNECT_TIMEOUT_MS,
    pipeline: PIPELINED.includes(purpose),
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
    ...(limitMs !== undefined && { query_timeout: limitMs }),
    idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_MS,
    // Of two values of one setting the last counts.
    options: [...given, ...own].join(' '),
    types: { getTypeParser: ((oid: number) => PARSERS[oid] ?? types.getTypeParser(oid)) as never },
  }
  const pool = new Pool(config)
  // An idle connection broke: the pool replaces it. Without a listener the process would exit.
  pool.on('error', () => {})
  // A connection broke between two statements: the next statement reports it.
  pool.on('connect', (client) => client.on('error', () => {}))
  return pool
}

/** Without a limit a session would wait on for a lock that its client has given up. */
const lockOptions = (limitMs: number | undefined): readonly string[] =>
  limitMs === undefined ? [] : [`lock_timeout=${limitMs}`]

const plannerOptions = (purpose: Purpose): readonly string[] => {
  if (purpose === 'visits') return VISIT_OPTIONS
  return COMMITS.includes(purpose) ? COMMIT_OPTIONS : []
}

/** Statements on their way. */
export type StatementsSent = Promise<unknown>[]

/**
 * Lets a statement run while the next ones are sent: the connection for commits answers them in their order. A failure
 * is met where all of them are awaited.
 */
export function letRun(sent: StatementsSent, statement: Promise<unknown>): void {
  statement.catch(() => {})
  sent.push(statement)
}

/**
 * Runs statements in a transaction, which is committed if all succeed. The commit is sent without waiting for those
 * that `run` lets run: where one fails, PostgreSQL rolls back in its place.
 * @param begin statements that begin it, in one round trip
 * @throws the failure of the first statement that failed: those behind it fail because of it
 */
export async function withTransaction<Result>(
  pool: Pool,
  run: (client: ClientBase, sent: StatementsSent) => Promise<Result>,
  begin = 'begin',
): Promise<Result> {
  const client = await pool.connect()
  const sent: StatementsSent = []
  let failure: Error | undefined
  try {
    letRun(sent, client.query(begin))
    const result = await run(client, sent)
    const commit = client.query('commit')
    letRun(sent, commit)
    await Promise.all(sent)
    if ((await commit).command !== 'COMMIT')
      throw new Error('PostgreSQL rolled back what was to be committed')
    return result
  } catch (error) {
    await client.query('rollback').catch((rollbackError: Error) => {
      failure = rollbackError
    })
    const failed = (await Promise.allSettled(sent)).find(({ status }) => status === 'rejected')
    throw failed?.status === 'rejected' ? failed.reason : error
  } finally {
    client.release(failure)
  }
}

/** OIDs of column types in PostgreSQL's catalogue. */
const BIGINT = 20
const TEXT = 25
const NUMERIC = 1_700
const BYTEA = 17
const BIGINT_ARRAY = 1_016

/** Returns the same values as SQLite: numbers, none of which exceeds 2^53, and plain bytes. */
const PARSERS: Record<number, (text: string) => unknown> = {
  [BIGINT]: (text) => Number(text),
  [NUMERIC]: (text) => Number(text),
  [TEXT]: unescapeZeroBytes,
  [BYTEA]: (text) => new Uint8Array(Buffer.from(text.slice(2), 'hex')),
  [BIGINT_ARRAY]: (text) => (text === '{}' ? [] : text.slice(1, -1).split(',').map(Number)),
}

const escapeParameter = (value: unknown): unknown => {
  if (typeof value === 'string') return escapeZeroBytes(value)
  return Array.isArray(value) ? value.map(escapeParameter) : value
}

type Query = (query: unknown, values?: unknown, ...rest: unknown[]) => unknown

/** Message of `pg` when a query exceeds `query_timeout`. */
const QUERY_TIMEOUT_MESSAGE = 'Query read timeout'

/** A server that was the primary and is a standby now refuses to write, for as long as a connection to it is kept. */
const READ_ONLY = '25006'

const isReadOnly = (error: Error): boolean => 'code' in error && error.code === READ_ONLY

/** Escapes parameters, sends what one turn asks together, and closes itself where it cannot be used again. */
class InklingClient extends Client {
  #isGathering = false

  override query = ((query: string | QueryConfig, values?: unknown, ...rest: unknown[]): unknown => {
    this.#gather()
    const send = Client.prototype.query.bind(this) as Query
    const result = Array.isArray(values)
      ? send(query, values.map(escapeParameter), ...rest)
      : typeof query === 'object' && Array.isArray(query.values)
        ? send({ ...query, values: query.values.map(escapeParameter) }, values, ...rest)
        : send(query, values, ...rest)
    return result instanceof Promise ? result.catch((error: unknown) => this.#closeAfter(error)) : result
  }) as Client['query']

  /** Each write to a socket costs a system call and may wake the server; a commit has a dozen statements. */
  #gather(): void {
    if (this.#isGathering) return
    this.#isGathering = true
    const { stream } = (this as unknown as { connection: { stream: Socket } }).connection
    stream.cork()
    process.nextTick(() => {
      this.#isGathering = false
      stream.uncork()
    })
  }

  /** After a timeout the query is still running on this connection. */
  #closeAfter(error: unknown): never {
    if (error instanceof Error && (error.message === QUERY_TIMEOUT_MESSAGE || isReadOnly(error)))
      void this.end().catch(() => {})
    throw error
  }
}
