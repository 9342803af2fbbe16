import { expect, test } from 'vitest'
import { generateContract, staleFiles } from '../../../../scripts/generate-contract.ts'

test('the committed files are those that the schemas give: node scripts/generate-contract.ts', async () => {
  expect((await generateContract()).size).toBe(10)
  expect(await staleFiles()).toEqual([])
})
