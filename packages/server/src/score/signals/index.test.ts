import { readdirSync } from 'node:fs'
import { SIGNAL_CATALOGUE } from '@inkling/contract'
import { describe, expect, test } from 'vitest'
import { SIGNALS } from './index.ts'

const files = readdirSync(import.meta.dirname)
const kebab = (name: string): string => name.replaceAll('_', '-')

describe('registry', () => {
  test('every signal file is registered and has a test beside it', () => {
    const names = files.filter((file) => !file.includes('.test.') && file !== 'index.ts')
    expect(SIGNALS.map(({ name }) => `${kebab(name)}.ts`).sort()).toEqual(names.sort())
    for (const name of names) expect(files).toContain(name.replace('.ts', '.test.ts'))
  })

  test('no signal is evaluated twice, and each is in the catalogue', () => {
    const names = SIGNALS.map(({ name }) => name)
    expect(new Set(names).size).toBe(names.length)
    for (const name of names) expect(SIGNAL_CATALOGUE).toHaveProperty(name)
  })

  test('each says what it means, on what it rests and which innocent setups raise it', () => {
    for (const { meaning, evidence, innocentCauses } of SIGNALS) {
      expect(meaning).not.toBe('')
      expect(evidence).not.toBe('')
      expect(innocentCauses).not.toHaveLength(0)
    }
  })
})
