import { expect, test } from 'vitest'
import { z } from 'zod'
import { generateContract, staleFiles } from '../../../../scripts/generate-contract.ts'
import { ROW, SCORED } from './example-visit.ts'
import { jsonSchemas } from './schemas.ts'

const SCHEMAS = jsonSchemas()

test('there is one schema for each value on the wire', () => {
  expect(Object.keys(SCHEMAS).sort()).toEqual([
    'change-feed-line',
    'decision-changed',
    'device-merged',
    'device-split',
    'domain-profile',
    'explanation',
    'history-page',
    'history-row',
    'identification-scored',
    'ingest-body',
    'legacy-snapshot',
    'pattern-changed',
    'webhook-ping',
  ])
})

test.each(Object.entries(SCHEMAS))('%s has no reference to another file', (_name, schema) => {
  const refs = [...JSON.stringify(schema).matchAll(/"\$ref":"([^"]+)"/g)].map(([, ref]) => ref)
  const defined = Object.keys(schema.$defs ?? {}).map((name) => `#/$defs/${name}`)
  expect(new Set(refs)).toEqual(new Set(defined))
  expect(schema.$schema).toBe('https://json-schema.org/draft/2020-12/schema')
})

test('schemas accept what the service sends, and reject another form', () => {
  const page = z.fromJSONSchema(SCHEMAS['history-page'])
  expect(page.safeParse({ data: [ROW], total: 1 }).success).toBe(true)
  expect(page.safeParse({ data: [{ ...ROW, ver: 'new' }], total: 1 }).success).toBe(false)
  const scored = z.fromJSONSchema(SCHEMAS['identification-scored'])
  expect(scored.safeParse(SCORED).success).toBe(true)
  expect(scored.safeParse({ ...SCORED, data: { ...SCORED.data, signals: null } }).success).toBe(false)
})

test('a field of a later release is accepted', () => {
  expect(JSON.stringify(SCHEMAS)).not.toContain('"additionalProperties":false')
})

test('the committed files match the schemas: run node scripts/generate-contract.ts', async () => {
  expect((await generateContract()).size).toBe(14)
  expect(await staleFiles()).toEqual([])
})
