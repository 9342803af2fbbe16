import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { packClients } from '../../build/pack-clients.ts'
import { startTestServer, type TestServer } from '../../test/running-server.ts'
import { temporaryDirectory } from '../../test/temporary-store.ts'
import { packageVersion } from '../composition/running-state.ts'

const DATA = join(import.meta.dirname, '../../data')

let server: TestServer & { close(): Promise<void> }
beforeAll(async () => {
  await packClients(DATA)
  server = await startTestServer()
})
afterAll(() => server?.close())

/** Installs packages of the server into an empty folder. There is no registry, and no cache of one. */
async function install(...names: string[]): Promise<string> {
  const folder = await temporaryDirectory()
  const env = {
    ...process.env,
    npm_config_registry: 'http://127.0.0.1:9',
    npm_config_cache: join(folder, 'cache'),
    npm_config_fetch_retries: '0',
  }
  const addresses = names.map((name) => `${server.url}/${name}.tgz`)
  await promisify(execFile)('npm', ['install', '--no-audit', '--no-fund', ...addresses], { cwd: folder, env })
  return folder
}

test('npm installs the SDK and the agent’s package from the server alone, in its version, and they import', async () => {
  const folder = await install('sdk', 'agent')
  const script = `
    import { createClient, InklingError } from '@inkling/sdk'
    import { identifyOnInteraction } from '@inkling/agent/embed'
    const { history } = createClient({ historyUrl: '${server.url}', apiKey: '${server.keys.api_key}' })
    const { total } = await history.search('user_hid', 'nobody')
    const refusal = await history.search('email', 'a').catch((error) => error)
    console.log(JSON.stringify([total, refusal instanceof InklingError && refusal.code, typeof identifyOnInteraction]))`
  const node = [process.execPath, ['--input-type=module', '--eval', script], { cwd: folder }] as const
  const { stdout } = await promisify(execFile)(...node)
  expect(JSON.parse(stdout)).toEqual([0, 'invalid_argument', 'function'])
  for (const name of ['sdk', 'agent']) {
    const file = join(folder, `node_modules/@inkling/${name}/package.json`)
    expect(JSON.parse(await readFile(file, 'utf8')).version).toBe(packageVersion())
  }
})

test('the same sources give the same bytes', async () => {
  const folder = await temporaryDirectory()
  await packClients(folder)
  for (const name of ['sdk.tgz', 'agent.tgz'])
    expect((await readFile(join(folder, name))).equals(await readFile(join(DATA, name)))).toBe(true)
})

test('the reference has the version of the package', async () => {
  const document = await (await fetch(`${server.url}/openapi.json`)).json()
  expect(document).toMatchObject({ info: { version: packageVersion() } })
})
