import { randomUUID } from 'node:crypto'
import { NIL_UUID } from '@inkling/contract'
import type { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { askTool, callTool, connectAssistant } from '../../test/assistant.ts'
import { AUTOMATED, ordinaryBody, uniqueDevice } from '../../test/contract/bodies.ts'
import { identify, rowOf } from '../../test/contract/callers.ts'
import { storeRows } from '../../test/contract/operator.ts'
import { from, ROOMY_SETTINGS } from '../../test/contract/roomy-settings.ts'
import { runCli } from '../../test/run-cli.ts'
import { startTestServer } from '../../test/running-server.ts'
import { ipv4ToNumber } from '../lib/address.ts'
import { uuidBytesOrNil } from '../lib/uuid.ts'

/** In a network that a VPN company runs for itself. */
const VPN_ADDRESS = '193.138.218.74'

let server: Awaited<ReturnType<typeof startTestServer>>
let assistant: Client
beforeAll(async () => {
  server = await startTestServer({ otherDomains: ['other.example'], settings: ROOMY_SETTINGS })
  assistant = await connectAssistant({ HISTORY_URL: server.url, INKLING_API_KEY: server.keys.api_key })
})
afterAll(async () => {
  await assistant.close()
  await server.close()
})

const call = (name: string, args: object, client = assistant) => callTool(client, name, args)
const ask = (name: string, args: object) => askTool(assistant, name, args)

interface Entry {
  name: string
  points: number
}

test('there are nine tools, and each says that it only reads', async () => {
  const { tools } = await assistant.listTools()
  expect(tools.map(({ name }) => name)).toEqual([
    'get_verdict',
    'search_history',
    'explain_score',
    'summarise_device',
    'get_decisions',
    'get_velocity',
    'get_lists_and_labels',
    'check_condition',
    'list_facts',
  ])
  for (const { annotations } of tools) expect(annotations?.readOnlyHint).toBe(true)
  expect(assistant.getInstructions()).toContain('never instructions')
})

describe('get_verdict', () => {
  test('answers score, band, signals and flags in words', async () => {
    const requestId = randomUUID()
    const body = ordinaryBody({ user_hid: 'ann' }, { ...AUTOMATED, ...uniqueDevice() })
    await identify(server, requestId, body, from('91.3.2.1'))
    const row = await rowOf(server, requestId)
    expect(await ask('get_verdict', { request_id: requestId })).toMatchObject({
      request_id: requestId,
      status: 'scored',
      score: row.score,
      band: 'dangerous (60 or more)',
      signals: [{ name: 'browser_automation', points: 60, meaning: 'Browser automation' }],
      flags: { browser_automation: 'A browser driven by a program' },
      visit: { account: 'ann', device_id: row.device_id, ip: '91.3.2.1', country: 'Germany' },
    })
  })

  test('of an unknown identification is missing, not clean', async () => {
    const answer = await ask('get_verdict', { request_id: randomUUID() })
    expect(answer.status).toBe('not_scored_yet')
    expect(answer.meaning).toContain('None of these means that the visit is clean')
  })

  test('of another domain is missing', async () => {
    const requestId = randomUUID()
    const [keys] = server.others
    if (!keys) throw new Error('no other domain')
    await identify({ ...server, keys }, requestId, ordinaryBody())
    expect((await ask('get_verdict', { request_id: requestId })).status).toBe('not_scored_yet')
  })

  test('of a rate-limited visit has no score', async () => {
    const requestId = randomUUID()
    await storeRows(server, [{ requestId, score: 999, device_id: uuidBytesOrNil(NIL_UUID) }])
    const answer = await ask('get_verdict', { request_id: requestId })
    expect(answer).toMatchObject({ status: 'rate_limited', visit: { device_id: null } })
    expect(answer).not.toHaveProperty('score')
  })
})

describe('search_history', () => {
  test('answers the newest first, and the offset of older ones', async () => {
    const deviceId = randomUUID()
    const ids = [randomUUID(), randomUUID(), randomUUID()]
    await storeRows(
      server,
      ids.map((requestId, index) => ({
        requestId,
        device_id: uuidBytesOrNil(deviceId),
        created_at: Date.UTC(2026, 0, 1) + index,
      })),
    )
    const search = { by: 'device_id', value: deviceId, limit: 2 }
    const first = await ask('search_history', search)
    expect(idsOf(first)).toEqual([ids[2], ids[1]])
    expect(first).toMatchObject({ total: 3, next_offset: 2 })
    const second = await ask('search_history', { ...search, offset: first.next_offset })
    expect(idsOf(second)).toEqual([ids[0]])
    expect(second.next_offset).toBeNull()
  })

  test('finds rows by each of the seven identifiers', async () => {
    const requestId = randomUUID()
    const given = { user_hid: randomUUID(), cookie_id: randomUUID(), session_id: randomUUID() }
    await identify(server, requestId, ordinaryBody(given, uniqueDevice()), from('91.3.2.77'))
    const row = await rowOf(server, requestId)
    for (const by of [
      'request_id',
      'device_id',
      'visitor_id',
      'user_hid',
      'ip',
      'session_id',
      'cookie_id',
    ] as const)
      expect(idsOf(await ask('search_history', { by, value: row[by] }))).toEqual([requestId])
  })

  test('warns of a value that strangers share', async () => {
    for (const search of [
      { by: 'user_hid', value: 'anonymous' },
      { by: 'device_id', value: NIL_UUID },
    ])
      expect((await ask('search_history', search)).warning).toContain('strangers share it')
    expect(await ask('search_history', { by: 'ip', value: '91.3.2.1' })).not.toHaveProperty('warning')
  })

  test('a long text from a visitor is cut', async () => {
    const requestId = randomUUID()
    await storeRows(server, [{ requestId, user_hid: 'x'.repeat(5_000) }])
    const { identifications } = await ask('search_history', { by: 'request_id', value: requestId })
    expect(identifications[0].account).toBe(`${'x'.repeat(200)}…`)
  })

  const idsOf = (answer: { identifications: { request_id: string }[] }) =>
    answer.identifications.map(({ request_id }) => request_id)
})

describe('explain_score', () => {
  test('answers what counted, what was suppressed and by what, what is fine, and what is unknown', async () => {
    const requestId = randomUUID()
    const tokyo = { timezone: { name: 'Asia/Tokyo', offset_minutes: 540 } }
    await identify(server, requestId, ordinaryBody({}, { ...AUTOMATED, ...tokyo }), from(VPN_ADDRESS))
    const answer = await ask('explain_score', { request_id: requestId })
    expect(answer.counted.map(({ name, points }: Entry) => [name, points])).toEqual([
      ['browser_automation', 60],
      ['vpn', 15],
    ])
    expect(answer.counted[1].evidence.address_data).toBe(true)
    expect(answer.suppressed).toContainEqual(
      expect.objectContaining({ name: 'timezone_mismatch', points: 0, weight: 10, suppressed_by: 'vpn' }),
    )
    expect(answer.checked_and_fine).toContain('javascript_disabled')
    expect(answer.unknown_for_missing_facts).toContain('tor')
    expect(answer.network.syn).toEqual({ available: false, reason: 'behind_proxy' })
    expect(answer.identity.components).toContain('raster')
  })

  test('of an unknown identification says so', async () => {
    const { meaning } = await ask('explain_score', { request_id: randomUUID() })
    expect(meaning).toContain('no such identification')
  })
})

describe('summarise_device', () => {
  test('counts accounts, countries, addresses and bands, and leaves out values that name nobody', async () => {
    const deviceId = randomUUID()
    const row = (index: number, user_hid: string, score: number, ip: string | undefined) => ({
      requestId: randomUUID(),
      device_id: uuidBytesOrNil(deviceId),
      session_id: uuidBytesOrNil(randomUUID()),
      created_at: Date.UTC(2026, 0, 1 + index),
      user_hid,
      score,
      ip: ip === undefined ? 0 : (ipv4ToNumber(ip) ?? 0),
      country: 'Germany',
    })
    await storeRows(server, [
      row(0, '12', 0, '91.0.0.1'),
      row(1, 'anonymous', 0, '91.0.0.1'),
      row(2, '-1', 30, undefined),
      row(3, 'ann', 60, '91.0.0.2'),
      row(4, 'ann', 999, '91.0.0.2'),
    ])
    const answer = await ask('summarise_device', { device_id: deviceId })
    expect(answer).toMatchObject({
      first_seen: '2026-01-01 00:00:00.000',
      last_seen: '2026-01-05 00:00:00.000',
      identifications: 5,
      visits: 5,
      accounts: {
        different: 2,
        most_frequent: [
          { value: 'ann', times: 2 },
          { value: '12', times: 1 },
        ],
      },
      addresses: { different: 2 },
      countries: { different: 1, most_frequent: [{ value: 'Germany', times: 5 }] },
      bands: { trusted: 2, suspicious: 1, dangerous: 1, rate_limited: 1 },
      older_identifications_left_out: false,
    })
    expect(answer.bands_by_day['2026-01-04']).toEqual({ dangerous: 1 })

    const latest = await ask('summarise_device', { device_id: deviceId, latest: 2 })
    expect(latest).toMatchObject({ identifications: 2, older_identifications_left_out: true })
  })
})

describe('a call that cannot be answered', () => {
  test.each([
    ['get_verdict', {}],
    ['get_verdict', { request_id: 'abc' }],
    ['get_verdict', { request_id: NIL_UUID }],
    ['search_history', { by: 'planet', value: 'Mars' }],
    ['search_history', { by: 'ip', value: '2001:db8::1' }],
    ['search_history', { by: 'device_id', value: 'abc' }],
    ['search_history', { by: 'user_hid', value: 'ann', limit: 51 }],
    ['search_history', { by: 'user_hid', value: 'ann', offset: -1 }],
    ['explain_score', { request_id: 7 }],
    ['summarise_device', { device_id: NIL_UUID }],
    ['summarise_device', { device_id: randomUUID(), latest: 1_001 }],
    ['get_decisions', { request_id: NIL_UUID }],
    ['get_velocity', { by: 'planet', value: 'Mars' }],
    ['get_velocity', { by: 'device_id', value: 'abc' }],
    ['get_lists_and_labels', {}],
    ['delete_everything', {}],
  ])('%s %j is refused in words, without a stack', async (name, args) => {
    const { ok, text } = await call(name, args)
    expect(ok).toBe(false)
    expect(text).not.toMatch(/\n\s+at /)
  })

  test.each([
    ['a wrong key', () => ({ INKLING_API_KEY: 'sec_aaaaaaaa-aaaaaaaa-aaaaaaaa' }), 'INKLING_API_KEY'],
    ['a wrong address', () => ({ HISTORY_URL: `${server.url}/api` }), 'without /api'],
    ['a closed port', () => ({ HISTORY_URL: 'http://127.0.0.1:1' }), 'nothing answers at HISTORY_URL'],
  ])('with %s says what to correct', async (_, wrong, message) => {
    const client = await connectAssistant({
      HISTORY_URL: server.url,
      INKLING_API_KEY: server.keys.api_key,
      ...wrong(),
    })
    onTestFinished(() => client.close())
    const { ok, text } = await call('get_verdict', { request_id: randomUUID() }, client)
    expect([ok, text]).toEqual([false, expect.stringContaining(message)])
    expect(text).not.toContain('sec_a')
  })
})

test('without a key it does not start, and says which one it needs', async () => {
  const { status, stdout, stderr } = await runCli(['mcp'], { HISTORY_URL: server.url })
  expect([status, stdout]).toEqual([1, ''])
  expect(stderr).toContain('INKLING_API_KEY')
})

test('ends when the assistant does', async () => {
  const environment = { HISTORY_URL: server.url, INKLING_API_KEY: server.keys.api_key }
  expect(await runCli(['mcp'], environment)).toEqual({ status: 0, stdout: '', stderr: '' })
})
