import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { runCli } from '../run-cli.ts'
import { postSnapshot, runningServer } from '../running-server.ts'

test('pages of an abandoned subdomain cannot use the Public Key once the owner named the origins', async () => {
  const server = await runningServer()
  const statusOf = async (headers: Record<string, string>): Promise<number> =>
    (await postSnapshot(server, randomUUID(), '{}', headers)).status
  const set = (origins: string) =>
    runCli(['domain', 'set', 'shop.example', '--origins', origins, '--json'], { DATA_DIR: server.directory })
  const abandoned = { origin: 'https://old.shop.example' }

  // The contract's rule, until somebody sets another one; only pages of the web count.
  expect(await statusOf(abandoned)).toBe(200)
  for (const origin of ['ftp://shop.example', 'file://shop.example', 'chrome-extension://shop.example'])
    expect(await statusOf({ origin })).toBe(401)

  expect((await set('https://shop.example,https://evil.example')).status).toBe(1)
  const { stdout } = await set('https://shop.example,http://dev.shop.example:3000')
  expect(JSON.parse(stdout)).toMatchObject({ origins: 'http://dev.shop.example:3000,https://shop.example' })
  await expect.poll(() => statusOf(abandoned), { timeout: 30_000 }).toBe(401)
  for (const origin of ['http://shop.example', 'https://shop.example:8443', 'http://dev.shop.example'])
    expect(await statusOf({ origin })).toBe(401)
  for (const origin of ['https://shop.example', 'https://shop.example:443', 'http://dev.shop.example:3000'])
    expect(await statusOf({ origin })).toBe(200)
  expect(await statusOf({ origin: 'null', referer: 'https://shop.example/cart?a=b' })).toBe(200)

  const channel = new WebSocket(
    `ws://127.0.0.1:${server.port}/follow/${randomUUID()}?publicKey=${server.keys.public_key}`,
    abandoned,
  )
  const refused = await new Promise<Error>((resolve) => channel.once('error', resolve))
  expect(refused.message).toContain('401')

  await set('any')
  await expect.poll(() => statusOf(abandoned), { timeout: 30_000 }).toBe(200)
})
