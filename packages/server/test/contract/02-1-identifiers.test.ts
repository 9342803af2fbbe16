import { randomUUID } from 'node:crypto'
import { isUuid, NIL_UUID } from '@inkling/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { postSnapshot, startTestServer } from '../running-server.ts'
import { AUTOMATED, ordinaryBody, uniqueDevice } from './bodies.ts'
import { historyPage, identify, rowOf } from './callers.ts'
import { ADDRESSES, from, ROOMY_SETTINGS } from './roomy-settings.ts'

let server: Awaited<ReturnType<typeof startTestServer>>
beforeAll(async () => {
  server = await startTestServer({ settings: ROOMY_SETTINGS })
})
afterAll(() => server.close())

async function recorded(body: string, headers: Record<string, string> = {}) {
  const requestId = randomUUID()
  await identify(server, requestId, body, headers)
  return rowOf(server, requestId)
}

test('2.1 request_id: the row has the ID that the browser made', async () => {
  const requestId = randomUUID()
  await identify(server, requestId, ordinaryBody())
  expect((await rowOf(server, requestId)).request_id).toBe(requestId)
})

test('2.1 session_id and cookie_id are stored as sent, in lower case', async () => {
  const [session, cookie] = [randomUUID(), randomUUID()]
  const row = await recorded(
    ordinaryBody({ session_id: session.toUpperCase(), cookie_id: cookie.toUpperCase() }),
  )
  expect([row.session_id, row.cookie_id]).toEqual([session, cookie])
})

test.each([
  ['missing', undefined],
  ['malformed', 'not-a-uuid'],
  ['of another type', 7],
  ['null', null],
  ['with braces', `{${randomUUID()}}`],
])('2.1 a cookie_id that is %s is stored as the nil UUID', async (_name, cookie) => {
  const row = await recorded(ordinaryBody({ cookie_id: cookie, session_id: cookie }))
  expect([row.cookie_id, row.session_id]).toEqual([NIL_UUID, NIL_UUID])
})

test('2.1 device_id and visitor_id are UUID v5, and a new cookie on a known device keeps both', async () => {
  const device = uniqueDevice()
  const [first, second] = [await recorded(ordinaryBody({}, device)), await recorded(ordinaryBody({}, device))]
  expect(first.device_id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-5/)
  expect(first.visitor_id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-5/)
  expect(first.cookie_id).not.toBe(second.cookie_id)
  expect([second.device_id, second.visitor_id]).toEqual([first.device_id, first.visitor_id])
})

test('2.1 device_id stays the same after clearing cookies and in a private window', async () => {
  const device = uniqueDevice()
  const first = await recorded(ordinaryBody({ user_hid: 'a' }, device))
  const cleared = await recorded(ordinaryBody({ session_id: null, cookie_id: null, user_hid: 'b' }, device))
  expect(cleared.device_id).toBe(first.device_id)
  expect((await recorded(ordinaryBody({}, uniqueDevice()))).device_id).not.toBe(first.device_id)
})

test('2.1 without usable readings device_id and visitor_id are nil', async () => {
  const row = await recorded(JSON.stringify({ user_hid: 'anonymous' }))
  expect([row.device_id, row.visitor_id]).toEqual([NIL_UUID, NIL_UUID])
})

test.each([
  ['as passed, case and all', 'Kundin-Ä≠ 7/%41', 'Kundin-Ä≠ 7/%41'],
  ['anonymous', 'anonymous', 'anonymous'],
  ['empty when explicitly empty (S10.17)', '', ''],
  ['fail when missing (S10.17)', undefined, 'fail'],
  ['the word null', 'null', 'null'],
  ['the word unknown', 'unknown', 'unknown'],
])('2.1 user_hid is stored %s', async (_name, sent, stored) => {
  expect((await recorded(ordinaryBody({ user_hid: sent }))).user_hid).toBe(stored)
})

test('2.1 a UUID of any version is accepted, in either case, and sent in lower case', async () => {
  for (const version of '12345678') {
    const requestId = `${randomUUID().slice(0, 14)}${version}${randomUUID().slice(15)}`
    expect(isUuid(requestId)).toBe(true)
    await identify(server, requestId.toUpperCase(), ordinaryBody())
    expect((await rowOf(server, requestId.toUpperCase())).request_id).toBe(requestId)
  }
  // Neither a version nor a variant.
  const bare = `${randomUUID().slice(0, 14)}0${randomUUID().slice(15, 19)}0${randomUUID().slice(20)}`
  await identify(server, bare, ordinaryBody())
  expect((await rowOf(server, bare)).request_id).toBe(bare)
})

test('2.1 the nil UUID is a valid search value; as a request ID only marker rows have it', async () => {
  expect((await historyPage(server, `request_id/${NIL_UUID}`)).total).toBe(0)
  expect((await historyPage(server, `cookie_id/${NIL_UUID}`)).total).toBeGreaterThan(0)
  expect((await postSnapshot(server, NIL_UUID, ordinaryBody())).status).toBe(400)
})

test('S1 an identification by the noscript beacon has user_hid unknown and nil identifiers', async () => {
  const answer = await fetch(`${server.url}/noscript?publicKey=${server.keys.public_key}`, {
    headers: { referer: 'https://shop.example/', ...from(ADDRESSES.home) },
  })
  expect(answer.status).toBe(200)
  const { data } = await historyPage(server, 'latest/all?limit=1')
  expect(data[0]).toMatchObject({
    user_hid: 'unknown',
    session_id: NIL_UUID,
    cookie_id: NIL_UUID,
    device_id: NIL_UUID,
    visitor_id: NIL_UUID,
    is_js_disabled: true,
  })
})

test('2.1 the same device on two domains has two device IDs', async () => {
  const own = await startTestServer({ settings: ROOMY_SETTINGS, otherDomains: ['other.example'] })
  const [first, second] = [randomUUID(), randomUUID()]
  const body = ordinaryBody({}, { ...uniqueDevice(), ...AUTOMATED })
  const other = { ...own, keys: own.others[0] ?? own.keys }
  await identify(own, first, body)
  await identify(other, second, body)
  expect((await rowOf(own, first)).device_id).not.toBe((await rowOf(other, second)).device_id)
  await own.close()
})
