import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

/** The page on security names what tests each defence. */

const PAGE = join(import.meta.dirname, '../../../../docs/security.md')
const NAMED = new Set(
  [...readFileSync(PAGE, 'utf8').matchAll(/`([\w./-]+\.test\.ts)`/g)].map(([, name = '']) => name),
)
const SERVER = join(import.meta.dirname, '../..')

test('every test that the page names is there', () => {
  const missing = [...NAMED].filter(
    (name) => !existsSync(name.includes('/') ? join(SERVER, name) : join(import.meta.dirname, name)),
  )
  expect(missing).toEqual([])
})

test('every test of this folder protects something that the page names', () => {
  const tests = readdirSync(import.meta.dirname).filter((name) => name.endsWith('.test.ts'))
  expect(tests.filter((name) => !NAMED.has(name) && name !== 'documented.test.ts')).toEqual([])
})
