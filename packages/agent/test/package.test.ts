import { execFile } from 'node:child_process'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { build } from 'esbuild'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeDirectory, type OwnDirectory } from '../../server/test/temporary-store.ts'
import { buildAgentPackage } from '../build-package.ts'

const ROOT = join(import.meta.dirname, '../../..')
const INSTALLED = 'node_modules/@inkling/agent'
/** More would be noticed in a page. */
const EMBED_BYTES_MAX = 4_000

let directory: OwnDirectory
beforeAll(async () => {
  directory = await makeDirectory()
  await mkdir(join(directory.path, 'node_modules/@inkling'), { recursive: true })
  await writeFile(join(directory.path, 'package.json'), '{ "private": true, "type": "module" }\n')
  await buildAgentPackage(join(directory.path, INSTALLED))
})
afterAll(() => directory?.remove())

/** Type-checks a program in the project, declarations included; what the compiler says, empty when all is well. */
async function compile(name: string, program: string): Promise<string> {
  const compilerOptions = {
    module: 'nodenext',
    target: 'es2022',
    lib: ['es2022', 'dom', 'dom.iterable'],
    types: [],
    strict: true,
    exactOptionalPropertyTypes: true,
    noEmit: true,
    // A project that uses one of them has it.
    paths: {
      react: [join(ROOT, 'node_modules/@types/react')],
      vue: [join(ROOT, 'node_modules/vue/dist/vue.d.mts')],
    },
  }
  const config = join(directory.path, `${name}.json`)
  await writeFile(join(directory.path, `${name}.ts`), program)
  await writeFile(config, JSON.stringify({ files: [`${name}.ts`], compilerOptions }))
  return promisify(execFile)(join(ROOT, 'node_modules/.bin/tsc'), ['-p', config]).then(
    () => '',
    ({ stdout }: { stdout: string }) => stdout,
  )
}

/** A program of a page's, bundled as a customer's build does; what is in it. */
async function bundled(program: string): Promise<string> {
  const { outputFiles } = await build({
    stdin: { contents: program, resolveDir: directory.path },
    bundle: true,
    minify: true,
    format: 'esm',
    external: ['react', 'vue'],
    write: false,
  })
  return outputFiles[0]?.text ?? ''
}

test('the examples of its README compile where it is installed', async () => {
  const readme = await readFile(join(import.meta.dirname, '../README.md'), 'utf8')
  const examples = [...readme.matchAll(/```ts\n(.*?)```/gs)].map(([, code = '']) => code)
  expect(examples.length).toBe(2)
  for (const [index, example] of examples.entries()) expect(await compile(`readme${index}`, example)).toBe('')
})

test('so does a program that calls the agent, and one that calls what is not there does not', async () => {
  const calling = (call: string) => `import agent, { type CheckResult } from '@inkling/agent'
let requestID: string | undefined
const onInitialized = (result: CheckResult) => {
  if (result.status === 'initialized') requestID = result.requestID
}
agent.${call}
export { requestID, onInitialized }`
  expect(await compile('call', calling(`checkAuthenticatedUser('u1')`))).toBe('')
  expect(await compile('miscall', calling('checkAuthenticatedUser()'))).toContain('TS2554')
})

test('so does a Vue program, and one with a wrong option does not', async () => {
  const vue = (options: string) => `import { useRequestId } from '@inkling/agent/vue'
export const { result, renew } = useRequestId(() => (${options}))
export const id = () => result.value?.status === 'initialized' && result.value.requestID`
  expect(await compile('vue', vue(`{ agentUrl: 'https://a.test', publicKey: 'k' }`))).toBe('')
  expect(await compile('wrong', vue(`{ agentUrl: 'https://a.test' }`))).toContain('publicKey')
})

test('a page takes a few kilobytes of it, and neither React nor Vue comes along', async () => {
  const embed = await bundled(`export * from '@inkling/agent/embed'`)
  expect(embed).not.toMatch(/from ?"(react|vue)"/)
  expect(Buffer.byteLength(embed)).toBeLessThan(EMBED_BYTES_MAX)
  // What tells bundlers to leave the agent's address alone is still there.
  const file = join(directory.path, INSTALLED, 'embed')
  const { outputFiles } = await build({
    entryPoints: [join(file, 'index.js')],
    bundle: true,
    format: 'esm',
    write: false,
  })
  expect(outputFiles[0]?.text).toMatch(/import\(\s*\/\* @vite-ignore \*\/\s*\/\* webpackIgnore: true \*\//)
})
