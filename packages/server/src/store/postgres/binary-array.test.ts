import fc from 'fast-check'
import { expect, onTestFinished, test } from 'vitest'
import { temporaryStore } from '../../../test/temporary-store.ts'
import { databaseSettings } from '../../../test/test-database.ts'
import type { RowOf } from '../columns.ts'
import { arrayStatement } from './array-statement.ts'
import { binaryArray } from './binary-array.ts'
import { openPool } from './pools.ts'

const COLUMNS = {
  whole: 'integer',
  text: 'text or null',
  bytes: 'bytes or null',
  truth: 'boolean',
  real: 'real',
  maybe: 'integer or null',
} as const

const ROW = fc.record<RowOf<typeof COLUMNS>>({
  whole: fc.maxSafeInteger(),
  text: fc.option(fc.string({ unit: fc.constantFrom('\0', '\uFDD0', 'é', '𝒳', '"', '\\', ',', 'a') })),
  bytes: fc.option(fc.uint8Array()),
  truth: fc.boolean(),
  real: fc.double({ noNaN: true }),
  maybe: fc.option(fc.integer()),
})

const ECHO = arrayStatement('echo', COLUMNS, (rows) => `select * from ${rows}`)

test('rows reach the database as they are, whatever their values', async () => {
  const { directory } = await temporaryStore()
  const { DATABASE_URL = '' } = await databaseSettings(directory)
  const pool = openPool(DATABASE_URL, 'commits')
  onTestFinished(() => pool.end())
  const client = await pool.connect()
  onTestFinished(() => client.release())
  await fc.assert(
    fc.asyncProperty(fc.array(ROW), async (rows) => {
      expect(await ECHO.run(client, rows)).toEqual(rows)
    }),
  )
})

test('a number that is not whole is refused before anything is sent', () => {
  for (const value of [0.5, Number.NaN, 2 ** 53, 'a'])
    expect(() => binaryArray('integer', [1, value])).toThrow(TypeError)
})
