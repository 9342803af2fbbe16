import { existsSync, readdirSync } from 'node:fs'
import { resolve } from 'node:path'
import { SIGNAL_CATALOGUE } from '@inkling/contract'
import { describe, expect, test } from 'vitest'
import { SIGNALS } from './index.ts'

const files = readdirSync(import.meta.dirname)
const PAGES = resolve(import.meta.dirname, '../../../../../docs/signals')
const kebab = (name: string): string => name.replaceAll('_', '-')

describe('registry', () => {
  test('every signal file is registered and has a test beside it', () => {
    const names = files.filter((file) => !file.includes('.test.') && file !== 'index.ts')
    expect(SIGNALS.map(({ name }) => `${kebab(name)}.ts`).sort()).toEqual(names.sort())
    for (const name of names) expect(files).toContain(name.replace('.ts', '.test.ts'))
  })

  test.each(SIGNALS)(
    '$name is in the contract with the text of its file',
    ({ name, title, weight, ...rest }) => {
      const flag = 'flag' in rest ? { flag: rest.flag } : {}
      expect(SIGNAL_CATALOGUE, 'run `npm run docs`').toHaveProperty(name, { weight, ...flag, title })
    },
  )

  test.each(SIGNALS)('$name has a page in docs/signals', ({ name }) => {
    const page = `${kebab(name)}.md`
    expect(existsSync(resolve(PAGES, page)), `docs/signals/${page} is missing: run \`npm run docs\``).toBe(
      true,
    )
  })

  test('the contract has no removed signal and no duplicate', () => {
    expect(Object.keys(SIGNAL_CATALOGUE), 'run `npm run docs`').toEqual(SIGNALS.map(({ name }) => name))
    expect(new Set(SIGNALS.map(({ name }) => name)).size).toBe(SIGNALS.length)
  })

  test('each signal has a meaning, evidence and innocent causes', () => {
    for (const { meaning, evidence, innocentCauses } of SIGNALS) {
      expect(meaning).not.toBe('')
      expect(evidence).not.toBe('')
      expect(innocentCauses).not.toHaveLength(0)
    }
  })
})
