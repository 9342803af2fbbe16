import { join } from 'node:path'
import type { StoreOptions } from '../../../packages/server/src/store/open-store.ts'
import { scratchFolder } from '../lib/scratch.ts'
import { type RunningPostgres, startPostgres } from '../postgres/start-postgres.ts'

export const ENGINES = ['sqlite', 'postgres'] as const
export type EngineName = (typeof ENGINES)[number]

/** The databases of one benchmark run. */
export interface Engine {
  name: EngineName
  /** One per node: its data directory and, on PostgreSQL, the shared database. */
  places: [StoreOptions, ...StoreOptions[]]
  /** Undefined for SQLite, and if this run did not start the server. */
  postgres: RunningPostgres | undefined
  stop(): Promise<void>
}

export interface EngineOptions {
  name: EngineName
  nodes: number
  /** URL of an empty database on a running server; without it a server is started for this run. */
  databaseUrl?: string | undefined
}

export async function openEngine({ name, nodes, databaseUrl }: EngineOptions): Promise<Engine> {
  const folder = scratchFolder()
  if (name === 'sqlite') {
    if (nodes !== 1) throw new Error('SQLite has one node')
    return { name, places: [{ dataDir: folder }], postgres: undefined, stop: async () => undefined }
  }
  const postgres = databaseUrl === undefined ? await startPostgres() : undefined
  const url = databaseUrl ?? (await postgres?.createDatabase('inkling'))
  const placeOf = (node: number): StoreOptions => ({
    dataDir: join(folder, `node-${node}`),
    databaseUrl: url,
  })
  const others = Array.from({ length: nodes - 1 }, (_, index) => placeOf(index + 2))
  return { name, places: [placeOf(1), ...others], postgres, stop: async () => postgres?.stop() }
}

export function readEngineName(text: string): EngineName {
  const name = ENGINES.find((engine) => engine === text)
  if (!name) throw new Error(`--engine is one of ${ENGINES.join(', ')}`)
  return name
}
