import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

/** docs/security.md names the tests of each defence. */

const PAGE = join(import.meta.dirname, '../../../../docs/security.md')
const NAMED = new Set(
  [...readFileSync(PAGE, 'utf8').matchAll(/`([\w./-]+\.test\.ts)`/g)].map(([, name = '']) => name),
)
const SERVER = join(import.meta.dirname, '../..')

test('every test that the page names exists', () => {
  const missing = [...NAMED].filter(
    (name) => !existsSync(name.includes('/') ? join(SERVER, name) : join(import.meta.dirname, name)),
  )
  expect(missing).toEqual([])
})

test('the page names every test of this folder', () => {
  const tests = readdirSync(import.meta.dirname).filter((name) => name.endsWith('.test.ts'))
  expect(tests.filter((name) => !NAMED.has(name) && name !== 'documented.test.ts')).toEqual([])
})
