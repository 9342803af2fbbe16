import { afterAll, beforeAll, expect, test } from 'vitest'
import { freePort } from '../../server/src/lib/free-port.ts'
import { ROOMY_SETTINGS } from '../../server/test/contract/roomy-settings.ts'
import { runningServer, startTestServer, type TestServer } from '../../server/test/running-server.ts'
import { createManagementClient, type ManagementOptions } from '../src/management-client.ts'
import { edgeProxy } from './edge-proxy.ts'

let server: Awaited<ReturnType<typeof startTestServer>>
beforeAll(async () => {
  server = await startTestServer({ settings: ROOMY_SETTINGS })
})
afterAll(() => server.close())

function setUp({ url, keys }: TestServer, options: Partial<ManagementOptions> = {}) {
  const waits: number[] = []
  const { profile } = createManagementClient({
    managementUrl: url,
    domain: keys.domain,
    secretKey: keys.secret_key,
    random: () => 1,
    sleep: async (ms) => void waits.push(ms),
    ...options,
  })
  return { profile, waits }
}

test('the profile is that of the domain, in upper or lower case', async () => {
  const { profile } = setUp(server, { domain: 'Shop.Example' })
  expect(await profile()).toMatchObject({
    Domain: 'shop.example',
    Callback: '',
    Secret: server.keys.secret_key.slice(-4).padStart(32, '*'),
  })
})

test('a service with another name gets the headers of that name', async () => {
  const server = await runningServer({ settings: { SERVICE_NAME: 'Acme' } })
  expect(await setUp(server, { serviceName: 'Acme' }).profile()).toMatchObject({ Domain: 'shop.example' })
  await expect(setUp(server).profile()).rejects.toMatchObject({ code: 'unauthorized' })
})

test("the History API's key and another domain's name are unauthorized", async () => {
  const refusal = { code: 'unauthorized', status: 401 }
  await expect(setUp(server, { secretKey: server.keys.api_key }).profile()).rejects.toMatchObject(refusal)
  await expect(setUp(server, { domain: 'other.example' }).profile()).rejects.toMatchObject(refusal)
})

test('a real 429 is the error blocked and not retried', async () => {
  const server = await runningServer({ settings: { MANAGEMENT_LIMIT_PER_MINUTE: '1' } })
  const { profile, waits } = setUp(server)
  await profile()
  await expect(profile()).rejects.toMatchObject({ code: 'blocked', status: 429, retryable: false })
  expect(waits).toEqual([])
})

test('a proxy that cannot reach the server is retried', async () => {
  const proxy = await edgeProxy({ target: await freePort('127.0.0.1') })
  const waits: number[] = []
  const { profile } = setUp(server, {
    managementUrl: proxy.url,
    sleep: async (ms) => {
      waits.push(ms)
      proxy.target = server.port
    },
  })
  expect(await profile()).toMatchObject({ Domain: 'shop.example' })
  expect(waits).toEqual([400])
})

test('a wrong base URL, another site’s page and a closed port have different codes', async () => {
  await expect(setUp(server, { managementUrl: `${server.url}/v1` }).profile()).rejects.toMatchObject({
    code: 'not_found',
  })
  const proxy = await edgeProxy({ target: server.port, rewrite: () => '/health' })
  await expect(setUp(server, { managementUrl: proxy.url }).profile()).rejects.toMatchObject({
    code: 'unexpected_response',
  })
  const nobody = `http://127.0.0.1:${await freePort('127.0.0.1')}`
  await expect(setUp(server, { managementUrl: nobody }).profile()).rejects.toMatchObject({ code: 'network' })
  await expect(setUp(server).profile({ signal: AbortSignal.abort() })).rejects.toMatchObject({
    code: 'aborted',
  })
})

test.each([
  ['a scheme', { domain: 'https://shop.example' }],
  ['a path', { domain: 'shop.example/' }],
  ['a leading www.', { domain: 'www.shop.example' }],
  ['nothing', { domain: '' }],
  ['254 characters', { domain: 'a'.repeat(254) }],
  ['a line break', { domain: 'shop.example\r\nx: y' }],
])('a domain with %s is an error', (_, { domain }) => {
  const options = { managementUrl: 'http://x.test', domain, secretKey: 'abc' }
  expect(() => createManagementClient(options)).toThrow('domain')
})

test('a client without a Secret Key is an error', () => {
  const options = { managementUrl: 'http://x.test', domain: 'shop.example', secretKey: '' }
  expect(() => createManagementClient(options)).toThrow('secretKey')
})
