import { sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { temporaryDirectory } from '../../../test/temporary-store.ts'
import { inRange } from '../identifications/id-range.ts'
import { openSqlite } from '../sqlite/open-sqlite.ts'
import { contributionsOf, RETURNING_DIMENSIONS, ROLLUP_DIMENSIONS } from './contributions.ts'

const COUNTED = 'SEARCH r USING INTEGER PRIMARY KEY (rowid>? AND rowid<?)'

test('a count reads no visits but those that it counts, and the last one before each', async () => {
  const { reads: db, close } = await openSqlite(await temporaryDirectory())
  onTestFinished(close)
  const rows = inRange(db, { after: 10, through: 20, fromMs: 1, toMs: 2 }, 'r')
  for (const dimension of ROLLUP_DIMENSIONS) {
    const { rows: plan } = await sql<{ detail: string }>`
      explain query plan ${contributionsOf(db, [dimension], rows)}`.execute(db)
    const reads = plan.map(({ detail }) => detail).filter((detail) => /^\w+ (r|earlier) /.test(detail))
    const index = `identifications_${dimension}_id (domain_id=? AND ${dimension}_id=? AND created_at<?)`
    const isReturning = RETURNING_DIMENSIONS.some((returning) => returning === dimension)
    expect(reads, dimension).toEqual([
      COUNTED,
      ...(isReturning ? [`SEARCH earlier USING COVERING INDEX ${index}`] : []),
    ])
  }
})
