import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { registerDomain } from '../../src/auth/register-domain.ts'
import { saveDemoKeys } from '../../src/demo/demo-keys.ts'
import { ordinaryBody } from '../contract/bodies.ts'
import { postSnapshot } from '../running-server.ts'
import { serverOn } from '../steady-visits.ts'
import { temporaryDirectory } from '../temporary-store.ts'
import { databaseSettings, openStoreIn } from '../test-database.ts'

/** Somebody learned the request ID of another visitor, and asks the demo for its score, row and evidence. */

const COOKIE = randomUUID()

/** A server as the first start leaves it: with a demo. */
async function demoServer(settings: Record<string, string> = {}) {
  const directory = await temporaryDirectory()
  const store = await openStoreIn(directory)
  const keys = await registerDomain(store, 'localhost', 1)
  await store.close()
  if (!keys) throw new Error('no domain')
  await saveDemoKeys(directory, keys)
  return serverOn({ DATA_DIR: directory, ...(await databaseSettings(directory)), ...settings }, keys)
}

/** The session cookie of a new browser. */
async function newSession(url: string): Promise<string> {
  const session = await fetch(`${url}/demo/session`)
  return session.headers.getSetCookie()[0]?.split(';')[0] ?? ''
}

test('a stranger reads no visit of somebody else, and the visitor reads it', async () => {
  const server = await demoServer()
  const requestId = randomUUID()
  const origin = { origin: 'http://localhost' }
  const body = ordinaryBody({ cookie_id: COOKIE })
  expect((await postSnapshot(server, requestId, body, origin)).status).toBe(200)
  const url = `${server.url}/demo/verdict/${requestId}`
  const read = (cookie: string) => fetch(url, { headers: { cookie } })

  const stranger = await newSession(server.url)
  for (const cookie of ['', stranger, `${stranger}; inkling_id=${randomUUID()}`, `inkling_id=${COOKIE}`])
    expect((await read(cookie)).status).toBe(404)
  const visitor = await read(`${await newSession(server.url)}; inkling_id=${COOKIE}`)
  const verdict = (await visitor.json()) as { row: { request_id: string; device_id: string } }
  expect(verdict.row.request_id).toBe(requestId)
  const device = await fetch(`${server.url}/demo/device/${verdict.row.device_id}`, {
    headers: { cookie: stranger },
  })
  expect([device.status, await device.text()]).not.toContain(requestId)
})

test('where the server is public there is no demo, unless it is asked for', async () => {
  const status = async (settings: Record<string, string>) =>
    (await fetch(`${(await demoServer(settings)).url}/demo/session`)).status
  const url = 'https://inkling.example'
  const everywhere = { AGENT_URL: url, INGEST_URL: url, HISTORY_URL: url, MANAGEMENT_URL: url }
  expect(await status(everywhere)).toBe(404)
  expect(await status({ ...everywhere, DEMO: 'on' })).toBe(200)
  expect(await status({ DEMO: 'off' })).toBe(404)
})
