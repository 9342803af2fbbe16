import { randomUUID } from 'node:crypto'
import { NIL_UUID, SEARCH_TYPES } from '@inkling/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { uuidBytesOrNil } from '../../server/src/lib/uuid.ts'
import { ordinaryBody } from '../../server/test/contract/bodies.ts'
import { identify, rowOf } from '../../server/test/contract/callers.ts'
import { storeRows } from '../../server/test/contract/operator.ts'
import { from, ROOMY_SETTINGS } from '../../server/test/contract/roomy-settings.ts'
import { runningServer, startTestServer } from '../../server/test/running-server.ts'
import { testClient } from './test-client.ts'

let server: Awaited<ReturnType<typeof startTestServer>>
beforeAll(async () => {
  server = await startTestServer({ settings: ROOMY_SETTINGS })
})
afterAll(() => server.close())

const idsOf = (rows: readonly { request_id: string }[]) => rows.map(({ request_id }) => request_id)

/** Rows of one device, oldest first. */
async function deviceRows(userHids: readonly string[]): Promise<{ deviceId: string; ids: string[] }> {
  const deviceId = randomUUID()
  const ids = userHids.map(() => randomUUID())
  const rows = userHids.map((user_hid, index) => ({
    requestId: ids[index] ?? '',
    device_id: uuidBytesOrNil(deviceId),
    user_hid,
    created_at: Date.UTC(2026, 0, 1) + index,
  }))
  await storeRows(server, rows)
  return { deviceId, ids }
}

async function collect<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const all: Item[] = []
  for await (const item of items) all.push(item)
  return all
}

describe('search', () => {
  test.each(SEARCH_TYPES)('finds an identification by its %s', async (type) => {
    const requestId = randomUUID()
    const given = { user_hid: randomUUID(), cookie_id: randomUUID(), session_id: randomUUID() }
    await identify(server, requestId, ordinaryBody(given), from('91.3.2.1'))
    const row = await rowOf(server, requestId)
    const { data } = await testClient(server).client.history.search(type, row[type], { limit: 1 })
    expect(data).toEqual([row])
  })

  test.each(['a b', '50%', "!'()*", 'a&b=c+d,e:f;g$h@i', 'zoë', '…', 'A-Z._~', '?#[]', '%2F', 'a\\b', '"<>'])(
    'finds the user_hid %j: it was escaped as the server compares it',
    async (user_hid) => {
      const requestId = randomUUID()
      await identify(server, requestId, ordinaryBody({ user_hid }))
      const { data } = await testClient(server).client.history.search('user_hid', user_hid)
      expect(idsOf(data)).toContain(requestId)
      expect(new Set(data.map((row) => row.user_hid))).toEqual(new Set([user_hid]))
    },
  )

  test('returns the requested page and the number of all rows', async () => {
    const { deviceId, ids } = await deviceRows(['a', 'b', 'c', 'd', 'e'])
    const page = await testClient(server).client.history.search('device_id', deviceId.toUpperCase(), {
      limit: 2,
      offset: 1,
    })
    expect(idsOf(page.data)).toEqual([ids[3], ids[2]])
    expect(page.total).toBe(5)
  })

  test('of an unknown value is an empty page', async () => {
    const { client } = testClient(server)
    expect(await client.history.search('visitor_id', randomUUID())).toEqual({ data: [], total: 0 })
  })
})

describe('rows', () => {
  test('returns every row once, newest first, from as many pages as needed', async () => {
    const { deviceId, ids } = await deviceRows(['a', 'b', 'c', 'd', 'e'])
    const { client, paths } = testClient(server)
    const rows = await collect(client.history.rows('device_id', deviceId, { pageSize: 2 }))
    expect(idsOf(rows)).toEqual(ids.toReversed())
    expect(paths.map((path) => path.split('?')[1])).toEqual([
      'limit=2&offset=0',
      'limit=2&offset=2',
      'limit=2&offset=4',
    ])
  })

  test('that new ones push onto the next page are not returned twice', async () => {
    const { deviceId, ids } = await deviceRows(['a', 'b', 'c', 'd'])
    const rows: { request_id: string }[] = []
    for await (const row of testClient(server).client.history.rows('device_id', deviceId, { pageSize: 2 })) {
      rows.push(row)
      if (rows.length === 1)
        await storeRows(server, [{ requestId: randomUUID(), device_id: uuidBytesOrNil(deviceId) }])
    }
    expect(idsOf(rows)).toEqual(ids.toReversed())
  })

  test('are requested only as far as they are used', async () => {
    const { deviceId } = await deviceRows(['a', 'b', 'c'])
    const { client, paths } = testClient(server)
    for await (const _ of client.history.rows('device_id', deviceId, { pageSize: 1 })) break
    expect(paths).toHaveLength(1)
  })

  test('of rate-limited visits are different rows, although all have the nil request ID', async () => {
    const own = await runningServer({ settings: { ...ROOMY_SETTINGS, INGEST_LIMIT_PER_MINUTE: '1' } })
    for (const address of ['91.0.0.1', '91.0.0.2'])
      for (const path of ['broken-1', 'broken-2'])
        await fetch(`${own.url}/snapshot/${path}?publicKey=${own.keys.public_key}`, {
          method: 'POST',
          headers: { origin: `https://${own.keys.domain}`, ...from(address) },
          body: '{}',
        })
    const rows = await collect(testClient(own).client.history.rows('device_id', NIL_UUID))
    expect(rows.map(({ request_id, ip }) => [request_id, ip])).toEqual([
      [NIL_UUID, '91.0.0.2'],
      [NIL_UUID, '91.0.0.1'],
    ])
  })
})

describe('accounts of a device', () => {
  test('are returned once each, the latest first, without placeholder names', async () => {
    const hids = ['ann', 'anonymous', 'bob', 'fail', '-1', 'unknown', 'null', '', 'ann', 'Ann']
    const { deviceId } = await deviceRows(hids)
    const { client } = testClient(server)
    expect(await collect(client.history.accountsOfDevice(deviceId))).toEqual(['Ann', 'ann', 'bob'])
  })

  test('of the nil device are none, because unrelated visitors share it', async () => {
    const { client, paths } = testClient(server)
    expect(await collect(client.history.accountsOfDevice(NIL_UUID))).toEqual([])
    expect(paths).toEqual([])
  })

  test('are searched in no more rows than allowed', async () => {
    const { deviceId } = await deviceRows(['old', 'newer', 'newest'])
    const accounts = testClient(server).client.history.accountsOfDevice(deviceId, { rowsMax: 2 })
    expect(await collect(accounts)).toEqual(['newest', 'newer'])
  })
})
