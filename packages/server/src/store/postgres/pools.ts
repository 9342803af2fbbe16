import { Client, Pool, type PoolConfig, type QueryConfig, types } from 'pg'

/** Column types by their number in PostgreSQL's catalogue. */
const BIGINT = 20
const TEXT = 25
const NUMERIC = 1_700
const BYTEA = 17
const BIGINT_ARRAY = 1_016

/** Connections of each purpose, so that none waits for another's. */
const CONNECTIONS = { commits: 2, visits: 4, requests: 6, jobs: 3, locks: 5, writes: 2 }
/** A node that died in the middle of a transaction must not hold its locks. */
const IDLE_IN_TRANSACTION_MS = 30_000
const CONNECT_TIMEOUT_MS = 5_000
/** Of a server that fell silent the network itself tells after a quarter of an hour, or never. */
const ANSWER_TIMEOUT_MS: Partial<Record<Purpose, number>> = {
  commits: 30_000,
  visits: 30_000,
  requests: 30_000,
  // Changes of tables and erasures take their time; the reads of jobs even more.
  writes: 600_000,
}
const KEEP_ALIVE_MS = 10_000
/** On both sides: a node that lost its power must not hold its locks for hours. */
const SERVER_OPTIONS = [
  // What is acknowledged survives a power cut, whatever the server's default.
  'synchronous_commit=on',
  'tcp_keepalives_idle=30',
  'tcp_keepalives_interval=10',
  'tcp_keepalives_count=3',
]
/** Visits look up few rows by their keys. A plan that was made for an empty table must not read all of a full one. */
const VISIT_OPTIONS = ['enable_seqscan=off']
const UNANSWERED = 'Query read timeout'

export type Purpose = keyof typeof CONNECTIONS

/**
 * PostgreSQL has no text with a zero byte in it, and visitors may send one. In the database it is two characters,
 * of which the first is one that no text has: Unicode keeps it for a program's own use.
 */
const MARK = '\uFDD0'
const ZERO = `${MARK}0`
const MARK_ITSELF = `${MARK}1`

export const toDatabase = (text: string): string =>
  text.includes('\0') || text.includes(MARK)
    ? text.replaceAll(MARK, MARK_ITSELF).replaceAll('\0', ZERO)
    : text

export const fromDatabase = (text: string): string =>
  text.includes(MARK) ? text.replaceAll(ZERO, '\0').replaceAll(MARK_ITSELF, MARK) : text

const number = (text: string): number => Number(text)

/** Values as SQLite gives them: numbers, and plain bytes. None of ours is beyond 2^53. */
const PARSERS: Record<number, (text: string) => unknown> = {
  [BIGINT]: number,
  [NUMERIC]: number,
  [TEXT]: fromDatabase,
  [BYTEA]: (text) => new Uint8Array(Buffer.from(text.slice(2), 'hex')),
  [BIGINT_ARRAY]: (text) => (text === '{}' ? [] : text.slice(1, -1).split(',').map(Number)),
}

type Query = (query: unknown, values?: unknown, ...rest: unknown[]) => unknown

/** Texts leave as the database can keep them, and a connection that fell silent is given up. */
class TextSafeClient extends Client {
  override query = ((query: string | QueryConfig, values?: unknown, ...rest: unknown[]): unknown => {
    const send = Client.prototype.query.bind(this) as Query
    const answer = Array.isArray(values)
      ? send(query, values.map(outgoing), ...rest)
      : typeof query === 'object' && Array.isArray(query.values)
        ? send({ ...query, values: query.values.map(outgoing) }, values, ...rest)
        : send(query, values, ...rest)
    return answer instanceof Promise ? answer.catch((error: unknown) => this.#leave(error)) : answer
  }) as Client['query']

  /** What did not answer is not asked again: the question is still under way on this connection. */
  #leave(error: unknown): never {
    if (error instanceof Error && error.message === UNANSWERED) void this.end().catch(() => {})
    throw error
  }
}

const outgoing = (value: unknown): unknown => {
  if (typeof value === 'string') return toDatabase(value)
  return Array.isArray(value) ? value.map(outgoing) : value
}

export function openPool(url: string, purpose: Purpose): Pool {
  const config: PoolConfig = {
    connectionString: url,
    Client: TextSafeClient,
    max: CONNECTIONS[purpose],
    application_name: `inkling ${purpose}`,
    // Jobs wait for each other as long as it takes.
    connectionTimeoutMillis: purpose === 'jobs' ? 0 : CONNECT_TIMEOUT_MS,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
    ...(ANSWER_TIMEOUT_MS[purpose] !== undefined && { query_timeout: ANSWER_TIMEOUT_MS[purpose] }),
    idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_MS,
    options: [...SERVER_OPTIONS, ...(purpose === 'visits' ? VISIT_OPTIONS : [])]
      .map((option) => `-c ${option}`)
      .join(' '),
    types: { getTypeParser: ((oid: number) => PARSERS[oid] ?? types.getTypeParser(oid)) as never },
  }
  const pool = new Pool(config)
  // A connection that breaks while nobody uses it: whoever needs one next gets a new one, or is told.
  pool.on('error', () => {})
  // One that breaks between two statements of a transaction: the next one fails, and the process must live.
  pool.on('connect', (client) => client.on('error', () => {}))
  return pool
}
