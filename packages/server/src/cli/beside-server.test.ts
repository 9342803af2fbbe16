import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { history } from '../../test/contract/callers.ts'
import { runCli } from '../../test/run-cli.ts'
import { postSnapshot, runningServer } from '../../test/running-server.ts'
import { webhookReceiver } from '../../test/webhook-receiver.ts'
import { readDemoKeys, saveDemoKeys } from '../demo/demo-keys.ts'
import { auditStore } from '../store/users/users.ts'

/** Commands in a shell that knows where the database is, and nothing else of the server. */
const shell = (directory: string) => async (args: string[]) => {
  const { status, stdout, stderr } = await runCli([...args, '--json'], { DATA_DIR: directory })
  return { status, stderr, json: stdout === '' ? undefined : JSON.parse(stdout) }
}

test('a ping is sent as the running server sends, whatever the settings of the shell', async () => {
  const receiver = await webhookReceiver()
  const { directory } = await runningServer({ settings: { SERVICE_NAME: 'Acme' } })
  const run = shell(directory)
  // The server may send to this machine, and so may the command.
  const { json: added } = await run(['webhook', 'add', 'shop.example', receiver.url])
  const { status, json } = await run(['webhook', 'ping', 'shop.example', String(added.id)])
  expect([status, json.state]).toEqual([0, 'verified'])
  const [ping] = await receiver.count(1)
  expect(ping?.headerNames).toContain('X-Acme-Signature')
})

test('the audit log has who added, changed and removed a receiver of events, without the query of its address', async () => {
  const { directory, store } = await runningServer()
  const run = shell(directory)
  const { json } = await run(['webhook', 'add', 'shop.example', 'https://shop.example/hook?token=1'])
  for (const command of ['rotate', 'set', 'remove']) {
    const options = command === 'set' ? ['--enabled', 'false'] : []
    expect((await run(['webhook', command, 'shop.example', String(json.id), ...options])).status).toBe(0)
  }
  const entries = await auditStore(store.reads).list(undefined, 4)
  expect(entries.map(({ actor, action, target, detail }) => [actor, action, target, detail])).toEqual([
    ['command line', 'endpoint.remove', 'shop.example', `{"endpoint":${json.id}}`],
    ['command line', 'endpoint.change', 'shop.example', `{"endpoint":${json.id},"enabled":false}`],
    ['command line', 'endpoint.rotate_secret', 'shop.example', `{"endpoint":${json.id}}`],
    ['command line', 'endpoint.add', 'shop.example', '{"url":"https://shop.example/hook"}'],
  ])
})

test('a domain is removed only with --yes, and the running server then refuses its keys', async () => {
  const server = await runningServer({ otherDomains: ['old.example'] })
  const [keys] = server.others
  if (!keys) throw new Error('no other domain')
  const old = { ...server, keys }
  await postSnapshot(old, randomUUID())
  await saveDemoKeys(server.directory, keys)
  const run = shell(server.directory)

  const asked = await run(['domain', 'remove', 'old.example'])
  expect(asked.json).toEqual({
    domain: 'old.example',
    removed: false,
    identifications: 1,
    devices: 0,
    endpoints: 0,
    waiting_events: 0,
    deliveries: 0,
    findings: 0,
    saved_weights: 0,
  })
  expect([asked.status, asked.stderr]).toEqual([0, expect.stringContaining('add --yes')])
  expect((await history(old, 'user_hid/a')).status).toBe(200)

  const done = await run(['domain', 'remove', 'old.example', '--yes'])
  expect(done).toMatchObject({ status: 0, json: { ...asked.json, removed: true } })
  expect(await readDemoKeys(server.directory)).toBeUndefined()
  await expect.poll(async () => (await history(old, 'user_hid/a')).status).toBe(401)
  expect((await history(server, 'user_hid/a')).status).toBe(200)
  expect((await run(['domain', 'list'])).json).toMatchObject([{ domain: 'shop.example' }])
  expect((await run(['domain', 'remove', 'old.example', '--yes'])).status).toBe(1)
})
