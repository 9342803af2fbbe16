import { type Kysely, sql } from 'kysely'
import { AppError } from '../lib/errors.ts'
import { domainStore } from './domains/domains.ts'
import type { Schema } from './schema.ts'
import type { Store } from './store.ts'

/** From this share of a budget on there is a warning. */
const NEAR_SHARE = 0.8
/** The same for free space, as a multiple of what has to stay free. */
const NEAR_MULTIPLE = 2

export interface DiskLimit {
  /** What it limits: the `database`, the `free space` of its disk, or a domain by its name. */
  of: string
  /** Of free space, what there is. */
  bytes: number
  limitBytes: number
  /** `full` while visits are refused. */
  state: 'ok' | 'near' | 'full'
}

export interface DiskBudgetOptions {
  /** What all domains may take together; 0 for no limit. */
  budgetBytes: number
  /** What has to stay free on the disk of the embedded database. */
  freeBytes: number
}

export interface DiskBudget {
  /** @throws AppError `INK_DISK_BUDGET` when no more visits of the domain may be stored */
  refuseWhenFull(domainId: number): void
  /** Reads again how much is stored. */
  refresh(): Promise<void>
  /** As of the last refresh. */
  limits(): readonly DiskLimit[]
}

/** Refuses visits that would take more disk than they may. Nothing else is refused: what removes data needs some. */
export async function openDiskBudget(
  store: Pick<Store, 'engine' | 'reads' | 'size'>,
  { budgetBytes, freeBytes }: DiskBudgetOptions,
): Promise<DiskBudget> {
  let limits: DiskLimit[] = []
  let isFull = false
  let fullDomains: ReadonlySet<number> = new Set()

  async function refresh(): Promise<void> {
    const domains = await domainStore(store.reads).list()
    const stored = domains.reduce((sum, { stored_bytes }) => sum + stored_bytes, 0)
    const shared = [
      ...(budgetBytes > 0 ? [budgetOf('database', await usedBytes(store, stored), budgetBytes)] : []),
      ...(await freeSpace(store, freeBytes)),
    ]
    const own = domains.flatMap(({ id, name, stored_bytes, disk_budget }) =>
      disk_budget === null ? [] : [{ id, limit: budgetOf(name, stored_bytes, disk_budget) }],
    )
    isFull = shared.some(({ state }) => state === 'full')
    fullDomains = new Set(own.flatMap(({ id, limit }) => (limit.state === 'full' ? [id] : [])))
    limits = [...shared, ...own.map(({ limit }) => limit)]
  }
  await refresh()

  return {
    refuseWhenFull(domainId) {
      if (isFull || fullDomains.has(domainId)) throw new AppError('INK_DISK_BUDGET')
    },
    refresh,
    limits: () => limits,
  }
}

function budgetOf(of: string, bytes: number, limitBytes: number): DiskLimit {
  const state = bytes >= limitBytes ? 'full' : bytes >= limitBytes * NEAR_SHARE ? 'near' : 'ok'
  return { of, bytes: Math.max(0, bytes), limitBytes, state }
}

/** PostgreSQL's disk is not visible from here. */
async function freeSpace(
  { engine, size }: Pick<Store, 'engine' | 'size'>,
  floorBytes: number,
): Promise<DiskLimit[]> {
  if (engine === 'postgres' || floorBytes === 0) return []
  const { freeBytes: bytes = Number.POSITIVE_INFINITY } = await size()
  const state = bytes < floorBytes ? 'full' : bytes < floorBytes * NEAR_MULTIPLE ? 'near' : 'ok'
  return [{ of: 'free space', bytes, limitBytes: floorBytes, state }]
}

/**
 * The embedded database counts its pages; free ones, which removed rows leave, are used again before the file grows.
 * PostgreSQL would have to read all tables for that, so there the estimates of the rows count.
 */
const usedBytes = ({ engine, reads }: Pick<Store, 'engine' | 'reads'>, stored: number): Promise<number> =>
  engine === 'postgres' ? Promise.resolve(stored) : usedPages(reads)

async function usedPages(db: Kysely<Schema>): Promise<number> {
  const { rows } = await sql<{ bytes: number }>`
    select (page_count - freelist_count) * page_size as bytes
    from pragma_page_count, pragma_freelist_count, pragma_page_size`.execute(db)
  return rows[0]?.bytes ?? 0
}
