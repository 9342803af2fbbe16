import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { runCli } from '../../test/run-cli.ts'
import { temporaryDirectory } from '../../test/temporary-store.ts'
import { packageVersion } from '../composition/running-state.ts'

/** What scripts read of a command before any database matters: its exit status, and where it writes. */
async function commands(settings: Record<string, string> = {}) {
  const environment = { DATA_DIR: await temporaryDirectory(), ...settings }
  return (...args: string[]) => runCli(args, environment)
}

test.each([
  [['no-such-command']],
  [['domain']],
  [['domain', 'add']],
  [['domain', 'set', 'shop.example', '--enabled', 'perhaps']],
  [['domain', 'set', 'shop.example', '--disk-budget-mb', '-4']],
  [['key', 'rotate', 'shop.example', 'master']],
  [['webhook', 'ping', 'shop.example', 'first']],
  [['doctor', '--no-such-option']],
])('%j is a usage error: 2, with nothing on standard output', async (args) => {
  const run = await commands()
  const { status, stdout, stderr } = await run(...args, '--json')
  expect([status, stdout]).toEqual([2, ''])
  expect(stderr).not.toBe('')
})

test.each([
  [['domain', 'set', 'nowhere.example', '--remaining', '1']],
  [['key', 'rotate', 'nowhere.example', 'api']],
  [['webhook', 'list', 'nowhere.example']],
  [['webhook', 'ping', 'nowhere.example', '1']],
  [['domain', 'add', 'https://shop.example/']],
])('%j fails with status 1 and nothing on standard output', async (args) => {
  const run = await commands()
  const { status, stdout, stderr } = await run(...args, '--json')
  expect([status, stdout]).toEqual([1, ''])
  expect(stderr).not.toContain('at ')
})

test.each([
  [['key', 'list', 'nowhere.example'], 'inkling domain list shows the registered ones'],
  [['webhook', 'ping', 'shop.example', '7'], 'inkling webhook list shop.example lists them'],
  [['list', 'remove', 'shop.example', '7'], 'inkling list show shop.example lists them'],
  [['key', 'revoke', 'shop.example', '5d20c7e914ab'], 'inkling key list shop.example lists them'],
])('%j names the command that lists what there is', async (args, next) => {
  const run = await commands()
  await run('domain', 'add', 'shop.example')
  expect(await run(...args)).toMatchObject({ status: 1, stderr: expect.stringContaining(next) })
})

test('a wrong setting is an error with its reason', async () => {
  const run = await commands({ PORT: 'eighty' })
  const { status, stderr } = await run('domain', 'list')
  expect(status).toBe(1)
  expect(stderr).toContain('PORT')
  expect(stderr).not.toContain('.ts:')
})

test.each([[['domain', 'list']], [['webhook', 'list', 'shop.example']], [['rescore', 'shop.example']]])(
  '%j on a mistyped data directory says so and makes none',
  async (args) => {
    const DATA_DIR = join(await temporaryDirectory(), 'mistyped')
    const run = await commands({ DATA_DIR })
    const { status, stdout, stderr } = await run(...args)
    expect([status, stdout]).toEqual([1, ''])
    expect(stderr).toContain(`${DATA_DIR} does not exist; correct DATA_DIR`)
    expect(existsSync(DATA_DIR)).toBe(false)
  },
)

test('the version is that of the package', async () => {
  const run = await commands()
  const version = packageVersion()
  expect(await run('--version')).toEqual({ status: 0, stdout: `${version}\n`, stderr: '' })
  const { stdout } = await run('--version', '--json')
  expect(JSON.parse(stdout)).toEqual({ version })
})

test('help exits with status 0', async () => {
  const run = await commands()
  expect((await run('--help')).status).toBe(0)
  expect((await run('webhook', '--help')).stdout).toContain('ping')
})
