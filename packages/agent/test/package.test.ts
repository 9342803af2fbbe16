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
/** The budget for the functions that load the agent. */
const EMBED_BYTES_MAX = 4_000

let directory: OwnDirectory
beforeAll(async () => {
  directory = await makeDirectory()
  await mkdir(join(directory.path, 'node_modules/@inkling'), { recursive: true })
  await writeFile(join(directory.path, 'package.json'), '{ "private": true, "type": "module" }\n')
  await buildAgentPackage(join(directory.path, INSTALLED))
})
afterAll(() => directory?.remove())

/** Type-checks a program of a customer's project, declarations included; the compiler's output, empty without errors. */
async function compile(name: string, program: string): Promise<string> {
  const compilerOptions = {
    module: 'nodenext',
    target: 'es2022',
    lib: ['es2022', 'dom', 'dom.iterable'],
    types: [],
    strict: true,
    exactOptionalPropertyTypes: true,
    noEmit: true,
    // A project that uses one of these has it installed.
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

/** The text of a page's program, bundled as by a customer's build. */
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

test('the examples of the README compile in a project that installs the package', async () => {
  const readme = await readFile(join(import.meta.dirname, '../README.md'), 'utf8')
  const examples = [...readme.matchAll(/```ts\n(.*?)```/gs)].map(([, code = '']) => code)
  expect(examples.length).toBe(2)
  for (const [index, example] of examples.entries()) expect(await compile(`readme${index}`, example)).toBe('')
})

test('a program that calls the agent compiles, one that calls a missing function does not', async () => {
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

test('a Vue program compiles, one with a wrong option does not', async () => {
  const vue = (options: string) => `import { useRequestId } from '@inkling/agent/vue'
export const { result, renew } = useRequestId(() => (${options}))
export const id = () => result.value?.status === 'initialized' && result.value.requestID`
  expect(await compile('vue', vue(`{ agentUrl: 'https://a.test', publicKey: 'k' }`))).toBe('')
  expect(await compile('wrong', vue(`{ agentUrl: 'https://a.test' }`))).toContain('publicKey')
})

test('the functions for pages take a few kilobytes, without React and Vue', async () => {
  const embed = await bundled(`export * from '@inkling/agent/embed'`)
  expect(embed).not.toMatch(/from ?"(react|vue)"/)
  expect(Buffer.byteLength(embed)).toBeLessThan(EMBED_BYTES_MAX)
  // The comments that tell bundlers to leave the agent's address alone are kept.
  const file = join(directory.path, INSTALLED, 'embed')
  const { outputFiles } = await build({
    entryPoints: [join(file, 'index.js')],
    bundle: true,
    format: 'esm',
    write: false,
  })
  expect(outputFiles[0]?.text).toMatch(/import\(\s*\/\* @vite-ignore \*\/\s*\/\* webpackIgnore: true \*\//)
})
