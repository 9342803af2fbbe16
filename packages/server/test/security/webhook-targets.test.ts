import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { EndpointAttempt, NewEndpoint, TEST_SENDS_PER_MINUTE } from '@inkling/contract/account'
import { expect, onTestFinished, test } from 'vitest'
import { loggedDeliveries } from '../contract/operator.ts'
import { rawRequest } from '../contract/raw-request.ts'
import { postSnapshot } from '../running-server.ts'
import { webhookReceiver } from '../webhook-receiver.ts'
import { type GuardedServer, OURS, startGuardedServer } from './guarded-server.ts'
import { HIDDEN_HOSTS } from './hidden-hosts.ts'

/** Somebody who adds an endpoint must not make the server send requests into its own network. */

const endpointsOf = (domain: string): string => `/account/domains/${domain}/endpoints`

async function guardedServer(allowPrivate: boolean): Promise<GuardedServer> {
  const server = await startGuardedServer({ settings: { WEBHOOK_ALLOW_PRIVATE: String(allowPrivate) } })
  onTestFinished(server.close)
  return server
}

/** Counts connections to every address of this machine. */
async function listener(): Promise<{ port: number; connections(): number }> {
  let connections = 0
  const server = createServer((socket) => {
    connections += 1
    socket.destroy()
  })
  server.listen(0, '::')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  return { port: (server.address() as AddressInfo).port, connections: () => connections }
}

/** The ID of the endpoint, or undefined if its URL was rejected. */
async function add(server: GuardedServer, url: string, domain: string = OURS): Promise<number | undefined> {
  const { status, json } = await server.account('POST', endpointsOf(domain), { body: { url } })
  if (status === 400) return undefined
  return NewEndpoint.parse(json).id
}

const sent = async (server: GuardedServer, id: number, what: 'ping' | 'test', domain: string = OURS) =>
  EndpointAttempt.parse((await server.account('POST', `${endpointsOf(domain)}/${id}/${what}`)).json)

/** Domains in turn, as one may have few pings and samples in a minute. */
async function* testedDomains(server: GuardedServer): AsyncGenerator<string, never> {
  for (let number = 0; ; number += 1) {
    const domain = `tested${number}.example`
    await server.account('POST', '/account/domains', { body: { domain } })
    for (let left = TEST_SENDS_PER_MINUTE; left >= 2; left -= 2) yield domain
  }
}

test('no spelling reaches an address in the operator’s network: ping, sample, delivery, callback', async () => {
  const server = await guardedServer(false)
  const { port, connections } = await listener()
  const domains = testedDomains(server)
  let added = 0
  for (const host of HIDDEN_HOSTS) {
    const url = `https://${host}:${port}/`
    if ((await add(server, url)) === undefined) continue
    added += 1
    const { value: domain } = await domains.next()
    const id = (await add(server, url, domain)) ?? 0
    for (const what of ['ping', 'test'] as const)
      expect(await sent(server, id, what, domain), `${what} ${url}`).toMatchObject({
        state: 'failed',
        status: null,
        error: expect.stringContaining('a loopback or private address'),
      })
  }
  expect(added).toBeGreaterThan(30)

  const callback = await rawRequest(server, {
    method: 'POST',
    path: `/${OURS}:${server.keys.secret_key}/callback`,
    body: `https://localhost:${port}/callback`,
  })
  expect(callback.status).toBe(200)
  await postSnapshot(server, randomUUID())
  const deliveries = await loggedDeliveries(server, added + 1)
  expect(deliveries.filter(({ status }) => status !== null)).toEqual([])
  expect(connections()).toBe(0)
})

test('the same spellings reach this machine if the operator allows it', async () => {
  const server = await guardedServer(true)
  const { port, connections } = await listener()
  for (const host of ['127.0.0.1', '2130706433', '0177.0.0.1', 'localhost', '[::ffff:127.0.0.1]']) {
    const before = connections()
    await sent(server, (await add(server, `https://${host}:${port}/`)) ?? 0, 'ping')
    expect(connections(), host).toBeGreaterThan(before)
  }
})

test('a URL with credentials, another protocol, plain http or an IPv6 zone is rejected', async () => {
  const server = await guardedServer(false)
  for (const url of [
    'https://user@hook.example/',
    'https://user:password@hook.example/',
    'https://hook.example@127.0.0.1/',
    'http://hook.example/',
    'HTTP://hook.example/',
    'file:///etc/passwd',
    'gopher://127.0.0.1:25/',
    'ftp://hook.example/',
    'javascript:alert(1)',
    'data:text/plain,x',
    '//hook.example/',
    'https://[fe80::1%25eth0]/',
    'https://[fe80::1%eth0]/',
    'https://hook.example:99999/',
    'https://',
    '',
  ]) {
    expect((await server.account('POST', endpointsOf(OURS), { body: { url } })).status, url).toBe(400)
    const path = `/${OURS}:${server.keys.secret_key}/callback`
    expect((await rawRequest(server, { method: 'POST', path, body: url })).status, url).toBe(400)
  }
})

test('redirects are not followed: ping, sample and delivery', async () => {
  const server = await guardedServer(true)
  const inside = await webhookReceiver()
  const receiver = await webhookReceiver(() => ({ status: 307, headers: { location: inside.url } }))
  const id = (await add(server, receiver.url)) ?? 0
  for (const what of ['ping', 'test'] as const)
    expect(await sent(server, id, what)).toMatchObject({ state: 'failed', status: 307 })
  await postSnapshot(server, randomUUID())
  const [delivery] = await loggedDeliveries(server, 1)
  expect(delivery?.status).toBe(307)
  expect(receiver.received.length).toBe(3)
  expect(inside.received).toEqual([])
})
