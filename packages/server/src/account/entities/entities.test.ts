import { randomUUID } from 'node:crypto'
import { NIL_UUID } from '@inkling/contract'
import { EntitySummary } from '@inkling/contract/account'
import { expect, test } from 'vitest'
import { type AccountSurface, accountSurface } from '../../../test/account/account-surface.ts'
import { overTor, storeVisit } from '../../../test/account/stored-visits.ts'

const entity = ({ ask, tokens }: AccountSurface, type: string, value: string) =>
  ask({ url: '/account/domains/shop.example/entity', query: { type, value }, token: tokens.analyst })

const DAY_MS = 86_400_000

test('an account is summed up over its days, with the devices it was seen on', async () => {
  const surface = await accountSurface()
  const start = surface.clock.nowMs
  const identity = { deviceId: randomUUID(), visitorId: randomUUID(), components: [] }
  await storeVisit(surface, { userHid: 'ada', atMs: start })
  await storeVisit(surface, { userHid: 'ada', atMs: start + DAY_MS, identity, ...overTor() })
  await storeVisit(surface, { userHid: 'ada', atMs: start + DAY_MS + 1, identity })
  await storeVisit(surface, { userHid: 'grace', identity })

  const answer = await entity(surface, 'user_hid', 'ada')
  const summary = EntitySummary.parse(answer.json())
  expect(summary).toMatchObject({
    type: 'user_hid',
    value: 'ada',
    identifications: 3,
    complete: true,
    first_seen_at: '2026-11-21T00:00:00.000Z',
    last_seen_at: '2026-11-22T00:00:00.001Z',
    bands: { dangerous: 1 },
    days: [
      { day: '2026-11-21', identifications: 1 },
      { day: '2026-11-22', identifications: 2, highest_score: summary.highest_score },
    ],
  })
  expect(summary.linked.device_id.map(({ value, identifications }) => [value, identifications])).toEqual([
    [identity.deviceId, 2],
    [expect.any(String), 1],
  ])
  expect(summary.linked.user_hid.map(({ value }) => value)).toEqual(['ada'])

  const device = EntitySummary.parse((await entity(surface, 'device_id', identity.deviceId)).json())
  expect(device.linked.user_hid.map(({ value }) => value)).toEqual(['ada', 'grace'])
})

test('what strangers share links nothing: nil IDs and names of nobody are left out', async () => {
  const surface = await accountSurface()
  const identity = { deviceId: NIL_UUID, visitorId: NIL_UUID, components: [] }
  await storeVisit(surface, { userHid: 'anonymous', identity, cookieId: NIL_UUID, address: '2001:db8::1' })
  await storeVisit(surface, { userHid: 'anonymous', identity, cookieId: NIL_UUID, address: '198.51.100.7' })
  const { linked } = EntitySummary.parse((await entity(surface, 'ip', '198.51.100.7')).json())
  expect([linked.device_id, linked.visitor_id, linked.user_hid, linked.cookie_id]).toEqual([[], [], [], []])
  for (const [type, value] of [
    ['device_id', NIL_UUID],
    ['user_hid', 'anonymous'],
    ['ip', '0.0.0.0'],
    ['ip', 'x'],
    ['visitor_id', 'x'],
    ['session_id', randomUUID()],
  ] as const)
    expect((await entity(surface, type, value)).statusCode).toBe(400)
})

test('nobody knows an entity that was never seen', async () => {
  const surface = await accountSurface()
  await storeVisit(surface)
  expect((await entity(surface, 'user_hid', 'nobody-seen')).statusCode).toBe(404)
})
