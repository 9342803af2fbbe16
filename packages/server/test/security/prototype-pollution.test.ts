import { randomUUID } from 'node:crypto'
import { ACCOUNT_OPERATIONS, type AccountOperation } from '@inkling/contract/account'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { history, identify } from '../contract/callers.ts'
import { rawRequest } from '../contract/raw-request.ts'
import { postSnapshot } from '../running-server.ts'
import { type GuardedServer, OURS, startGuardedServer } from './guarded-server.ts'

/** Names such as `__proto__` in every part of a request. The server runs in this process. */

let server: GuardedServer
beforeAll(async () => {
  server = await startGuardedServer()
})
afterAll(() => server?.close())

const OPERATIONS = Object.values(ACCOUNT_OPERATIONS as Record<string, AccountOperation>)
const MARK = 'polluted'
const BODIES = [
  `{"__proto__":{"${MARK}":1}}`,
  `{"constructor":{"prototype":{"${MARK}":1}}}`,
  `{"__proto__":{"__proto__":{"${MARK}":1}}}`,
  `[{"__proto__":{"${MARK}":1}}]`,
  `{"weights":{"__proto__":{"${MARK}":1},"constructor":1,"toString":1},"note":"x"}`,
  `{"weights":{"__proto__":5}}`,
  `{"email":"a@b","password":"12345678","role":"__proto__"}`,
  `{"type":"constructor","value":"x","__proto__":{"${MARK}":1}}`,
]
const READINGS = `{"user_hid":"x","__proto__":{"${MARK}":1},"landing":{"__proto__":{"${MARK}":1}},"readings":{"__proto__":{"value":{"${MARK}":1}},"constructor":{"prototype":{"${MARK}":1}},"raster":{"value":{"__proto__":{"${MARK}":1}}}}}`
const QUERY = `__proto__[${MARK}]=1&__proto__.${MARK}=1&constructor[prototype][${MARK}]=1&__proto__=1&toString=1`

/** A property that every object would have if a request polluted the prototype. */
function expectClean(label: string): void {
  expect(Object.hasOwn(Object.prototype, MARK), label).toBe(false)
  expect(({} as Record<string, unknown>)[MARK], label).toBeUndefined()
  expect(([] as unknown as Record<string, unknown>)[MARK], label).toBeUndefined()
  expect(Object.prototype.toString.call({}), label).toBe('[object Object]')
}

const pathOf = ({ path }: AccountOperation): string =>
  path
    .replace('{domain}', OURS)
    .replace('{kind}', 'api')
    .replace(/\{\w+_id\}/, '999')

test('no JSON body of the account API reaches the prototypes or passes as a valid one', async () => {
  for (const operation of OPERATIONS.filter(({ body }) => body !== undefined))
    for (const body of BODIES) {
      const label = `${operation.method} ${operation.path} ${body}`
      const { status } = await server.account(operation.method, pathOf(operation), { body })
      expect(status, label).toBeGreaterThanOrEqual(400)
      expect(status, label).toBeLessThan(500)
      expectClean(label)
    }
})

test('no query and no path reaches them', async () => {
  const bearer = (token: string) => ({ authorization: `Bearer ${token}` })
  const { keys, tokens } = server
  for (const operation of OPERATIONS.filter(({ method }) => method === 'GET')) {
    const request = { path: `${pathOf(operation)}?${QUERY}`, headers: bearer(tokens.owner) }
    expect((await rawRequest(server, request)).status, operation.path).toBeLessThan(500)
  }
  for (const name of ['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'valueOf']) {
    for (const path of [
      `/account/domains/${name}`,
      `/account/domains/${OURS}/keys/${name}/rotate`,
      `/account/domains/${OURS}/identifications?flag=${name}`,
      `/account/domains/${OURS}/identifications?sort=${name}`,
      `/account/domains/${OURS}/identifications?band=${name}`,
      `/account/domains/${OURS}/overview/values?dimension=${name}`,
      `/account/domains/${OURS}/entity?type=${name}&value=x`,
      `/account/domains/${OURS}/patterns?pattern=${name}`,
      `/api/v1/explanation/${name}`,
      `/v1/history/${name}/x`,
      `/dashboard/assets/${name}`,
      `/schemas/${name}.json`,
    ]) {
      const headers = {
        ...bearer(path.startsWith('/api') ? keys.api_key : tokens.owner),
        'x-svc-domain': name,
      }
      const { status } = await rawRequest(server, { path, headers })
      expect([400, 401, 404], path).toContain(status)
    }
    const found = await history(server, `${name}/x?${QUERY}`)
    expect(found.status).toBe(200)
  }
  expectClean('queries')
})

test('snapshots, late readings and noscript visits are stored without it', async () => {
  const requestId = randomUUID()
  await identify(server, requestId, READINGS)
  await late(requestId)
  for (const body of BODIES) await postSnapshot(server, randomUUID(), body)
  await rawRequest(server, {
    path: `/noscript?publicKey=${server.keys.public_key}&${QUERY}`,
    headers: { origin: `https://${OURS}` },
  })
  const detail = await server.account('GET', `/account/domains/${OURS}/identifications/${requestId}`)
  expect(detail.status).toBe(200)
  expectClean('ingest')
})

/** Sends a report on the follow-up channel. */
async function late(requestId: string): Promise<void> {
  const { port, keys } = server
  const channel = new WebSocket(`ws://127.0.0.1:${port}/follow/${requestId}?publicKey=${keys.public_key}`, {
    origin: `https://${OURS}`,
  })
  const closed = new Promise((resolve) => channel.on('close', resolve))
  channel.once('message', () => {
    channel.send(
      `{"__proto__":{"${MARK}":1},"network":{"outcome":"complete","answered":true},"readings":{"__proto__":{"${MARK}":1},"constructor":{"prototype":{"${MARK}":1}}}}`,
    )
  })
  await closed
}
