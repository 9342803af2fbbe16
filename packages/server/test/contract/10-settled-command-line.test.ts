import { afterAll, beforeAll, expect, test } from 'vitest'
import { runCli } from '../run-cli.ts'
import { startTestServer } from '../running-server.ts'
import { webhookReceiver } from '../webhook-receiver.ts'
import { inkling } from './command-line.ts'
import { addWebhook, listWebhooks } from './endpoints.ts'

let server: Awaited<ReturnType<typeof startTestServer>>
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

test.each([
  ['an unknown command', ['nothing'], 2],
  ['an unknown key kind', ['key', 'rotate', 'shop.example', 'private'], 2],
  ['a missing argument', ['key', 'rotate', 'shop.example'], 2],
  ['a value that is none', ['domain', 'set', 'shop.example', '--enabled', 'maybe'], 2],
  ['an unknown domain', ['key', 'rotate', 'nowhere.example', 'api'], 1],
  ['an unknown endpoint', ['webhook', 'ping', 'shop.example', '999'], 1],
] as const)(
  'S10.18 %s: nothing on standard output, and the status says which',
  async (_name, words, status) => {
    const result = await runCli([...words, '--json'], { DATA_DIR: server.directory })
    expect([result.status, result.stdout]).toEqual([status, ''])
    expect(result.stderr).not.toBe('')
  },
)

test('domain set DOMAIN without an option prints the domain and changes nothing', async () => {
  const words = ['domain', 'set', 'shop.example']
  const [listed] = (await inkling(server, ['domain', 'list'])) as object[]
  expect(await inkling(server, words)).toEqual(listed)
})

test('S10.12 webhook set DOMAIN ID --enabled true|false switches an endpoint', async () => {
  const { id } = await addWebhook(server, (await webhookReceiver()).url)
  for (const enabled of [false, true]) {
    const words = ['webhook', 'set', 'shop.example', String(id), '--enabled', String(enabled)]
    expect(await inkling(server, words)).toMatchObject({ id, enabled })
    expect((await listWebhooks(server)).map((row) => row.enabled)).toEqual([enabled ? 1 : 0])
  }
})
