import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { makeDirectory } from '../../../test/temporary-store.ts'
import { readCatalogue } from './catalogue.ts'

test("the operator's own entry wins over one of the release with the same key directory and user agent", async () => {
  const folder = await makeDirectory()
  onTestFinished(() => folder.remove())
  const file = join(folder.path, 'agents.json')
  const own = {
    id: 'own',
    name: 'Own',
    operator: 'Brewline',
    category: 'tool',
    user_agents: ['ChatGPT-User'],
    directories: ['https://chatgpt.com'],
  }
  await writeFile(file, JSON.stringify([own]))
  const catalogue = await readCatalogue(file)
  expect(catalogue.byDirectory('https://chatgpt.com')?.id).toBe('own')
  expect(catalogue.byUserAgent('ChatGPT-User/1.0')?.id).toBe('own')
})
