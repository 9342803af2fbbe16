import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

/** docs/security.md names the tests of each defence, and what each one leaves open. */

const SERVER = join(import.meta.dirname, '../..')
const PAGE = readFileSync(join(SERVER, '../../docs/security.md'), 'utf8')
const NAMED = new Set([...PAGE.matchAll(/`([\w./-]+\.test\.ts)`/g)].map(([, name = '']) => name))
const DEFENCES = (PAGE.split('\n## Defences\n')[1] ?? '')
  .split('\n## ')[0]
  ?.split('\n')
  .filter((line) => line.startsWith('| '))
  .map((line) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  )

const testsIn = (folder: string) =>
  existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith('.test.ts')) : []

test('every test that the page names exists', () => {
  const missing = [...NAMED].filter(
    (name) => !existsSync(name.includes('/') ? join(SERVER, name) : join(import.meta.dirname, name)),
  )
  expect(missing).toEqual([])
})

test('the page names every test of this folder and every attack', () => {
  const attacks = testsIn(join(SERVER, 'test/attacks')).map((name) => `test/attacks/${name}`)
  const tests = testsIn(import.meta.dirname).filter((name) => name !== 'documented.test.ts')
  expect([...tests, ...attacks].filter((name) => !NAMED.has(name))).toEqual([])
})

test('each defence says against what it is, what it does, how it is tested and what risk remains', () => {
  const [titles, ...rows] = DEFENCES ?? []
  expect(titles).toEqual(['against', 'defence', 'test', 'remaining risk'])
  expect(rows.length).toBeGreaterThan(20)
  const incomplete = rows.filter(
    ([against, defence, tested = '', risk]) =>
      !against || !defence || !risk || !/\.test\.ts`|\]\(/.test(tested),
  )
  expect(incomplete).toEqual([])
})
