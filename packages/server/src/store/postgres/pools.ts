import { Client, Pool, type PoolConfig, type QueryConfig, types } from 'pg'
import { fromDatabase, toDatabase } from './zero-bytes.ts'

/** Column types by their number in PostgreSQL's catalogue. */
const BIGINT = 20
const TEXT = 25
const NUMERIC = 1_700
const BYTEA = 17
const BIGINT_ARRAY = 1_016

/** Connections of each purpose, so that none waits for another's. */
const CONNECTIONS = { commits: 2, requests: 6, jobs: 6, writes: 2 }
/** A node that died in the middle of a transaction must not hold its locks. */
const IDLE_IN_TRANSACTION_MS = 30_000
const CONNECT_TIMEOUT_MS = 5_000
/** Of a server that fell silent the network itself tells after a quarter of an hour. */
const ANSWER_TIMEOUT_MS = 30_000

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

/** Texts leave as the database can keep them. */
class TextSafeClient extends Client {
  override query = ((query: string | QueryConfig, values?: unknown, ...rest: unknown[]): unknown => {
    const send = Client.prototype.query.bind(this) as Query
    if (Array.isArray(values)) return send(query, values.map(outgoing), ...rest)
    if (typeof query === 'object' && Array.isArray(query.values))
      return send({ ...query, values: query.values.map(outgoing) }, values, ...rest)
    return send(query, values, ...rest)
  }) as Client['query']
}

const outgoing = (value: unknown): unknown => {
  if (typeof value === 'string') return toDatabase(value)
  return Array.isArray(value) ? value.map(outgoing) : value
}

export type Purpose = keyof typeof CONNECTIONS

export function openPool(url: string, purpose: Purpose): Pool {
  const config: PoolConfig = {
    connectionString: url,
    Client: TextSafeClient,
    max: CONNECTIONS[purpose],
    application_name: `inkling ${purpose}`,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    // The reads of jobs, and changes of tables, may take their time.
    ...((purpose === 'commits' || purpose === 'requests') && { query_timeout: ANSWER_TIMEOUT_MS }),
    idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_MS,
    // What is acknowledged survives a power cut, whatever the server's default.
    options: '-c synchronous_commit=on',
    types: { getTypeParser: ((oid: number) => PARSERS[oid] ?? types.getTypeParser(oid)) as never },
  }
  const pool = new Pool(config)
  // A connection that breaks while nobody uses it: whoever needs one next gets a new one, or is told.
  pool.on('error', () => {})
  // One that breaks between two statements of a transaction: the next one fails, and the process must live.
  pool.on('connect', (client) => client.on('error', () => {}))
  return pool
}
