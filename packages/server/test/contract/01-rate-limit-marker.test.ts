import { randomUUID } from 'node:crypto'
import { IdentificationScored, NIL_UUID } from '@inkling/contract'
import { expect, test } from 'vitest'
import { domainStore } from '../../src/store/domains/domains.ts'
import { postSnapshot, runningServer } from '../running-server.ts'
import { webhookReceiver } from '../webhook-receiver.ts'
import { ordinaryBody } from './bodies.ts'
import { history, historyPage, identify, rowOf } from './callers.ts'
import { operate } from './operator.ts'
import { ADDRESSES, from } from './roomy-settings.ts'

const LIMITED = { INGEST_LIMIT_PER_MINUTE: '2', TRUST_PROXY: '127.0.0.1' }
const MARKER_DETAILS = '[{"Value":999,"Description":"User has been banned 1H, to many requests"}]'

test('1.9 S6 the first excess request writes the exact marker row, later ones write none', async () => {
  const server = await runningServer({ settings: LIMITED })
  const ids = Array.from({ length: 6 }, () => randomUUID())
  const body = ordinaryBody({ user_hid: 'real', landing: { url: 'https://shop.example/?utm_source=a' } })
  for (const id of ids) await identify(server, id, body, from(ADDRESSES.home))

  const { data, total } = await historyPage(server, 'latest/all')
  expect(total).toBe(3)
  expect(data.map(({ request_id }) => request_id)).toEqual([ids[2], ids[1], ids[0]])
  const [marker] = data
  expect(marker).toEqual({
    request_id: ids[2],
    session_id: NIL_UUID,
    cookie_id: NIL_UUID,
    domain: 'shop.example',
    user_hid: '-1',
    device_id: NIL_UUID,
    visitor_id: NIL_UUID,
    ip: ADDRESSES.home,
    os: 'Unknown',
    browser: 'Unknown',
    device_type: 'desktop',
    country: '',
    connection_type: 'unknown',
    score: 999,
    score_details: MARKER_DETAILS,
    created_at: marker?.created_at,
    ver: Date.parse(`${marker?.created_at}Z`),
    web_rtc_ip: '0.0.0.0',
    web_rtc_country: '',
    web_rtc_connection_type: '',
    scanner_web_rtc_ip: '0.0.0.0',
    scanner_web_rtc_country: '',
    scanner_web_rtc_connection_type: '',
    webrtc_leak_ip: '0.0.0.0',
    webrtc_leak_country: '',
    webrtc_leak_connection_type: '',
    webrtc_leak_source: '',
    tcp_mss: 0,
    mtu_value: 0,
    mtu_hint: '',
    is_vpn: false,
    is_tor: false,
    is_proxy: false,
    is_datacenter: false,
    is_abuser: false,
    is_privacy_relay: false,
    is_stun_not_checked: false,
    check_incomplete: false,
    is_antidetect: false,
    is_os_mismatch: false,
    is_os_not_detected: false,
    is_timezone_mismatch: false,
    is_js_disabled: false,
    is_browser_automation: false,
    is_incognito: false,
    is_search_bot: false,
    stun_request_seen: false,
    is_scanner_stun_passed: false,
    stun_flow_status: '',
  })
})

test('1.9 S10.10 the marker is delivered once like any identification, with a single signal', async () => {
  const receiver = await webhookReceiver()
  const server = await runningServer({ settings: LIMITED, endpoints: [receiver.url] })
  const ids = Array.from({ length: 6 }, () => randomUUID())
  for (const id of ids) await identify(server, id, ordinaryBody(), from(ADDRESSES.home))
  // The event of a later visitor arrives first, so no other event was pending.
  const last = randomUUID()
  await identify(server, last, ordinaryBody(), from(ADDRESSES.unknown))

  const events = (await receiver.count(4)).map(({ body }) =>
    IdentificationScored.parse(JSON.parse(body.toString())),
  )
  const requestIds = events.map(({ data }) => data.request_id)
  expect(requestIds.toSorted()).toEqual([ids[0], ids[1], ids[2], last].toSorted())
  const marker = events.find(({ data }) => data.request_id === ids[2])
  expect(marker?.data).toMatchObject({
    risk_score: 999,
    signals: [{ name: 'rate_limited', weight: 999 }],
    user_hid: '-1',
    session_id: NIL_UUID,
    cookie_id: NIL_UUID,
    device_id: NIL_UUID,
    visitor_id: NIL_UUID,
    public_ip: { ip: ADDRESSES.home, country: '' },
    local_ip: { ip: '', country: '' },
    os: 'Unknown',
    browser: 'Unknown',
    device_type: 'desktop',
    connection_type: 'unknown',
  })
  expect(Object.values(marker?.data.detection_flags ?? {})).toEqual(Array.from({ length: 19 }, () => false))
  expect(new Set(Object.values(marker?.data.traffic_source ?? {}))).toEqual(new Set(['']))
})

test('S6 a blocked client still gets its normal acknowledgment, for malformed IDs and bodies too', async () => {
  const server = await runningServer({ settings: LIMITED })
  for (const id of [randomUUID(), randomUUID(), randomUUID()])
    await identify(server, id, ordinaryBody(), from(ADDRESSES.home))
  for (const [id, body] of [
    [randomUUID(), ordinaryBody()],
    [randomUUID(), '{"broken":'],
    ['no-uuid', '{}'],
  ] as const) {
    const answer = await postSnapshot(server, id, body, from(ADDRESSES.home))
    expect([answer.status, await answer.text()]).toEqual([200, `"${ADDRESSES.home}"`])
  }
  expect((await historyPage(server, 'latest/all')).total).toBe(3)
})

test('2.1 S10.11 malformed ingest IDs count, and their marker has the nil UUID', async () => {
  const server = await runningServer({ settings: LIMITED })
  for (const expected of [400, 400, 200, 200])
    expect((await postSnapshot(server, 'malformed', '{}', from(ADDRESSES.home))).status).toBe(expected)
  const row = await rowOf(server, NIL_UUID)
  expect(row).toMatchObject({ request_id: NIL_UUID, score: 999 })
})

test('S6 a marker has the request ID of the request, in lower case', async () => {
  const server = await runningServer({ settings: { ...LIMITED, INGEST_LIMIT_PER_MINUTE: '1' } })
  await identify(server, randomUUID(), ordinaryBody(), from(ADDRESSES.home))
  const requestId = randomUUID()
  await identify(server, requestId.toUpperCase(), ordinaryBody(), from(ADDRESSES.home))
  expect((await rowOf(server, requestId)).score).toBe(999)
})

test('1.9 the limit applies to one visitor address; others are not blocked', async () => {
  const server = await runningServer({ settings: LIMITED })
  for (let count = 0; count < 4; count += 1)
    await identify(server, randomUUID(), ordinaryBody(), from(ADDRESSES.home))
  const requestId = randomUUID()
  await identify(server, requestId, ordinaryBody(), from(ADDRESSES.unknown))
  expect((await rowOf(server, requestId)).score).toBe(0)
})

test('2.2 the marker of an IPv6 visitor has no IPv4 address in its row and an empty one in its event', async () => {
  const receiver = await webhookReceiver()
  const server = await runningServer({
    settings: { ...LIMITED, INGEST_LIMIT_PER_MINUTE: '1' },
    endpoints: [receiver.url],
  })
  await identify(server, randomUUID(), ordinaryBody(), from(ADDRESSES.ipv6))
  const requestId = randomUUID()
  await identify(server, requestId, ordinaryBody(), from(ADDRESSES.ipv6))
  expect((await rowOf(server, requestId)).ip).toBe('0.0.0.0')
  for (const { body } of await receiver.count(2))
    expect(IdentificationScored.parse(JSON.parse(body.toString())).data.public_ip.ip).toBe('')
})

test('8 the default limit is 60 identifications a minute', async () => {
  const server = await runningServer({
    settings: { TRUST_PROXY: '127.0.0.1', HISTORY_LIMIT_PER_SECOND: '1000' },
  })
  const send = () => identify(server, randomUUID(), '{}', from(ADDRESSES.home))
  for (let count = 0; count < 60; count += 1) await send()
  const scores = async () =>
    new Set((await historyPage(server, 'latest/all?limit=100')).data.map(({ score }) => score))
  expect(await scores()).not.toContain(999)
  await send()
  expect(await scores()).toContain(999)
})

test('1.7 a marker and the blocked requests after it use the volume at most once', async () => {
  const server = await runningServer({ settings: { ...LIMITED, INGEST_LIMIT_PER_MINUTE: '1' } })
  const remaining = () =>
    operate(
      server,
      async ({ store, domainId }) => (await domainStore(store.reads).findById(domainId))?.remaining,
    )
  const before = (await remaining()) ?? 0
  for (let count = 0; count < 5; count += 1)
    await identify(server, randomUUID(), ordinaryBody(), from(ADDRESSES.home))
  expect(await remaining()).toBe(before - 2)
  expect((await history(server, 'latest/all')).status).toBe(200)
})
