import { LRUCache } from 'lru-cache'
import type { Pool, PoolClient } from 'pg'
import { GUARD_FAILED } from './array-statement.ts'
import { type DomainShards, nameOfWorker, type Shards, type Worker } from './domain-shards.ts'
import { openPool } from './pools.ts'

/** A connection for the look-ups of a domain. */
export interface VisitConnection {
  client: PoolClient
  /** Where it leads to the worker of the domain: the coordinator would plan each look-up anew. */
  shards?: DomainShards
}

export interface VisitConnections {
  connect(domainId: number): Promise<VisitConnection>
  /** Runs look-ups, once more where the shards of the domain had moved. */
  retried<Result>(lookUp: () => Promise<Result>): Promise<Result>
  end(): Promise<void>
}

/** How long look-ups go through the coordinator after a worker could not be reached. */
const UNREACHED_MS = 60_000
const WORKERS_MAX = 1_000
/** SQLSTATE of a shard that is gone. */
const UNDEFINED_TABLE = '42P01'

interface VisitConnectionsOptions {
  /** Of the database or the coordinator; the workers have the same user, password and database. */
  url: string
  pool: Pool
  /** Where tables are split over machines. */
  shards: Shards | undefined
  warn(message: string, error: unknown): void
}

export function visitConnections({ url, pool, shards, warn }: VisitConnectionsOptions): VisitConnections {
  const workers = new Map<string, Pool>()
  const unreached = new LRUCache<string, true>({ max: WORKERS_MAX, ttl: UNREACHED_MS })

  function poolOf(worker: Worker): Pool {
    const workerUrl = urlOf(url, worker)
    const known = workers.get(workerUrl) ?? openPool(workerUrl, 'visits')
    workers.set(workerUrl, known)
    return known
  }

  return {
    async connect(domainId) {
      if (!shards) return { client: await pool.connect() }
      const ofDomain = await shards.of(domainId)
      const name = nameOfWorker(ofDomain.worker)
      if (unreached.has(name)) return { client: await pool.connect() }
      try {
        return { client: await poolOf(ofDomain.worker).connect(), shards: ofDomain }
      } catch (error) {
        unreached.set(name, true)
        // The domain may be elsewhere by now.
        shards.forget()
        warn(`the worker ${name} could not be reached: look-ups ask the coordinator for a minute`, error)
        return { client: await pool.connect() }
      }
    },
    async retried(lookUp) {
      try {
        return await lookUp()
      } catch (error) {
        if (!shards || !isMoved(error)) throw error
        shards.forget()
        return lookUp()
      }
    },
    end: async () => void (await Promise.all([...workers.values()].map((known) => known.end()))),
  }
}

/** The same database on another machine. */
function urlOf(url: string, { host, port }: Worker): string {
  const changed = new URL(url)
  changed.searchParams.delete('host')
  changed.searchParams.delete('port')
  changed.hostname = host.includes(':') ? `[${host}]` : host
  changed.port = String(port)
  return changed.href
}

const isMoved = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && [GUARD_FAILED, UNDEFINED_TABLE].includes(String(error.code))
