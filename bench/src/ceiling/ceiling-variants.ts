import { join } from 'node:path'
import type { Engine } from '../engine/open-engine.ts'
import { countCeilingPostgres, createCeilingTable } from './ceiling-postgres.ts'
import { countCeilingRows } from './ceiling-table.ts'
import { type RunningCeiling, startCeiling } from './start-ceiling.ts'

/** One way to build the simplest server on an engine. */
export interface CeilingVariant {
  name: string
  /**
   * Starts the variant on its own empty table.
   * @param table letters and digits
   */
  start(table: string): Promise<RunningCeiling & { count(): Promise<number> }>
}

export const ceilingVariants = (engine: Engine): CeilingVariant[] =>
  engine.postgres
    ? postgresVariants(engine, engine.postgres.createDatabase)
    : (['main', 'worker'] as const).map((thread) => sqliteVariant(engine, thread))

function sqliteVariant({ places: [place] }: Engine, thread: 'main' | 'worker'): CeilingVariant {
  return {
    name: `one process that writes on its ${thread} thread`,
    async start(table) {
      const file = join(place.dataDir, `${table}.db`)
      const ceiling = await startCeiling(['--file', file, '--thread', thread], 1)
      return { ...ceiling, count: async () => countCeilingRows(file) }
    },
  }
}

/** As many processes as Inkling has nodes, or one if that is faster. */
function postgresVariants(
  { places }: Engine,
  createDatabase: (name: string) => Promise<string>,
): CeilingVariant[] {
  const shapes = [...new Set([1, places.length])].flatMap((processes) =>
    [1, 2].map((connections) => ({ processes, connections })),
  )
  return shapes.map(({ processes, connections }) => ({
    name: `${processes} × process with ${connections} × connection`,
    async start(table) {
      const url = await createDatabase(table)
      await createCeilingTable(url)
      const ceiling = await startCeiling(
        ['--database-url', url, '--connections', String(connections)],
        processes,
      )
      return { ...ceiling, count: () => countCeilingPostgres(url) }
    },
  }))
}
