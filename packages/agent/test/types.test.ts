import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { buildTypes } from '../build-types.ts'

const COMPILER = fileURLToPath(new URL('../../../node_modules/typescript/bin/tsc', import.meta.url))

let folder = ''
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'inkling-types-'))
  await buildTypes(folder)
})
afterAll(() => rm(folder, { recursive: true }))

/** What the compiler says of a program that has nothing but the published types. */
async function complaintsAbout(program: string): Promise<string> {
  const file = join(folder, 'page.ts')
  await writeFile(
    file,
    `import agent, { type CheckResult, forceCheckAnonymous } from './index.js'\n${program}`,
  )
  const options = [
    '--ignoreConfig',
    '--noEmit',
    '--strict',
    '--target',
    'es2022',
    '--module',
    'nodenext',
    '--types',
    '',
  ]
  return promisify(execFile)(process.execPath, [COMPILER, ...options, file]).then(
    () => '',
    ({ stdout }) => String(stdout),
  )
}

test('a program compiles against the published types', async () => {
  expect(
    await complaintsAbout(`
      let requestID: string | undefined
      const onInitialized = (result: CheckResult) => {
        if (result.status === 'initialized') requestID = result.requestID
      }
      forceCheckAnonymous({ onInitialized })
      agent.checkAuthenticatedUser('u1')
      export { requestID }`),
  ).toBe('')
})

test('and does not where it calls what is not there', async () => {
  expect(await complaintsAbout('agent.checkAuthenticatedUser(); export {}')).toContain('TS2554')
})
