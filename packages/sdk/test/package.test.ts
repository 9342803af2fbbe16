import { execFile } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeDirectory, type OwnDirectory } from '../../server/test/temporary-store.ts'
import { packedProject } from './packed-project.ts'

const ROOT = resolve(import.meta.dirname, '../../..')

let directory: OwnDirectory
let installed: string
beforeAll(async () => {
  directory = await makeDirectory()
  await packedProject(directory.path)
  installed = join(directory.path, 'node_modules/@inkling/sdk')
})
afterAll(() => directory.remove())

/** Type-checks a file in the project with all declarations. Returns the compiler's output, empty without errors. */
async function compile(name: string, text: string, options: object = {}): Promise<string> {
  const config = join(directory.path, `${name}.json`)
  const compilerOptions = {
    module: 'nodenext',
    target: 'es2022',
    lib: ['es2023', 'dom', 'dom.iterable'],
    types: [],
    strict: true,
    exactOptionalPropertyTypes: true,
    skipLibCheck: false,
    noEmit: true,
    ...options,
  }
  await writeFile(join(directory.path, `${name}.ts`), text)
  await writeFile(config, JSON.stringify({ files: [`${name}.ts`], compilerOptions }))
  return promisify(execFile)(join(ROOT, 'node_modules/.bin/tsc'), ['-p', config]).then(
    () => '',
    ({ stdout }: { stdout: string }) => stdout,
  )
}

test('the package has no dependencies, and its one module imports nothing', async () => {
  const described = JSON.parse(await readFile(join(installed, 'package.json'), 'utf8'))
  expect(Object.keys(described).filter((key) => /dependencies|scripts/i.test(key))).toEqual([])
  const code = await readFile(join(installed, 'index.js'), 'utf8')
  expect(code).not.toMatch(/^import |\bimport\(|\brequire\(|\bprocess\b|\bBuffer\b/m)
  // The contract's schema library alone would be ten times as large.
  expect(Buffer.byteLength(code)).toBeLessThan(48_000)
})

test('its types need no other package: the example of the README compiles in an empty project', async () => {
  const readme = await readFile(resolve(import.meta.dirname, '../README.md'), 'utf8')
  const examples = [...readme.matchAll(/```ts\n(.*?)```/gs)].map(([, code]) => code)
  expect(examples.length).toBeGreaterThan(0)
  expect(await compile('readme', examples.join('\n'))).toBe('')
})

test('its types reject wrong arguments', async () => {
  const wrong = `import { createClient, decide } from '@inkling/sdk'
createClient({ historyUrl: 'http://x.test' })
const inkling = createClient({ historyUrl: 'http://x.test', apiKey: 'k' })
await inkling.history.search('email', 'a')
const verdict = await inkling.verdict('id')
verdict.score
await decide(verdict, { flags: { vpm: 'deny' } })
`
  const lines = [...(await compile('wrong', wrong)).matchAll(/wrong\.ts\((\d+),/g)].map(([, line]) => line)
  expect(lines).toEqual(['2', '4', '6', '7'])
})

test('its published types are those of the contract', async () => {
  const names = [
    'HistoryRow',
    'HistoryPage',
    'IdentificationScored',
    'PatternChanged',
    'DecisionChanged',
    'DeviceMerged',
    'DeviceSplit',
    'WebhookPing',
    'DomainProfile',
  ]
  const shapes = [...names, 'Explanation', 'DetectionFlags', 'RiskSignal', 'SearchType']
  const same = `import type * as contract from '@inkling/contract'
import type * as sdk from '@inkling/sdk'
${shapes
  .map(
    (name) => `export const to${name} = (value: contract.${name}): sdk.${name} => value
export const from${name} = (value: sdk.${name}): contract.${name} => value`,
  )
  .join('\n')}
`
  const paths = { '@inkling/contract': [join(ROOT, 'packages/contract/src/index.ts')] }
  // The inferred types also allow an explicit undefined, which JSON does not have.
  const ours = { exactOptionalPropertyTypes: false, skipLibCheck: true }
  const options = { ...ours, paths, allowImportingTsExtensions: true }
  expect(await compile('same', same, options)).toBe('')
})
