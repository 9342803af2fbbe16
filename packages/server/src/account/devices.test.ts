import { DeviceChange } from '@inkling/contract/account'
import { expect, test } from 'vitest'
import { accountSurface } from '../../test/account/account-surface.ts'
import { storeVisit } from '../../test/account/stored-visits.ts'
import { identified, onWire, ordinaryReadings, value } from '../../test/identified.ts'
import { DAY_MS } from '../lib/durations.ts'
import type { Identified } from '../visit/identification.ts'
import type { Readings } from '../visit/received.ts'

const OWN = identified().identity.deviceId
const OTHER = '11111111-2222-5333-8444-555555555555'
const CHROME_157 =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/157.0.0.0 Safari/537.36'

/** A visit whose snapshot has these readings. */
const showing = (changed: Partial<Readings>, deviceId = OWN): Partial<Identified> => {
  const readings = { ...ordinaryReadings(), ...changed }
  return {
    readings,
    body: JSON.stringify({ readings: onWire(readings) }),
    identity: { ...identified().identity, deviceId },
  }
}

const screen = (width: number, height: number): Pick<Readings, 'screen'> => ({
  screen: value({ width, height, avail_width: width, avail_height: height, color_depth: 24, pixel_ratio: 1 }),
})

async function shop() {
  const surface = await accountSurface()
  let atMs = surface.clock.nowMs - 30 * DAY_MS
  const get = async (path: string) => {
    const answer = await surface.ask({ url: `/account/domains/shop.example/${path}` })
    return { status: answer.statusCode, body: answer.json() }
  }
  return {
    ...surface,
    async visit(given: Partial<Identified>) {
      atMs += DAY_MS
      return (await storeVisit(surface, { ...given, atMs })).requestId
    },
    changes: () => get(`device-changes?device_id=${OWN}`),
    compared: (a: string, b: string) => get(`device-comparison?a=${a}&b=${b}`),
  }
}

test('changes of a device have dates, both values and their visit; what goes back and forth is one', async () => {
  const { visit, changes } = await shop()
  await visit(showing({}))
  await visit(showing(screen(2560, 1440)))
  await visit(showing({}))
  await visit(showing({ ...screen(2560, 1440), typefaces: value(['Arial', 'Georgia']) }))
  const latest = await visit(
    showing({ ...screen(2560, 1440), typefaces: value(['Arial', 'Georgia']), user_agent: value(CHROME_157) }),
  )
  const { status, body } = await changes()
  expect(status).toBe(200)
  expect(body).toMatchObject({ visits: 5, complete: true })
  expect(body.changes.map((change: unknown) => DeviceChange.parse(change))).toEqual([
    expect.objectContaining({
      part: 'browser',
      from: 'Chrome 156',
      to: 'Chrome 157',
      request_id: latest,
      times: 1,
    }),
    expect.objectContaining({
      part: 'screen',
      from: '1920 × 1080, 24 bit',
      to: '2560 × 1440, 24 bit',
      times: 3,
    }),
    expect.objectContaining({
      part: 'typefaces',
      from: '2 fonts',
      to: '2 fonts; new: Georgia; gone: Calibri',
    }),
  ])
  const docked = body.changes.find(({ part }: DeviceChange) => part === 'screen') as DeviceChange
  expect(Date.parse(docked.at) - Date.parse(docked.first_at)).toBe(2 * DAY_MS)
})

test('two devices are compared part by part, as the linker does', async () => {
  const { visit, compared } = await shop()
  const request_id = await visit(showing({}))
  await visit(showing({ ...screen(2560, 1440), timezone: { ok: false, why: 'missing' } }, OTHER))
  const { status, body } = await compared(OWN, OTHER)
  expect(status).toBe(200)
  expect(body).toMatchObject({ a: { device_id: OWN, request_id }, same_device: false, other_family: false })
  const parts = new Map(body.parts.map((part: { part: string }) => [part.part, part]))
  expect(parts.get('screen')).toMatchObject({ result: 'different', b: '2560 × 1440, 24 bit' })
  expect(parts.get('timezone')).toMatchObject({ result: 'unknown', a: 'Europe/Berlin', b: null })
  expect(parts.get('machine')).toMatchObject({
    result: 'equal',
    a: 'Win32, 8 cores, no touch',
    change_rate: null,
  })
  expect(body.change_rate).toBe((parts.get('screen') as { change_rate: number }).change_rate)
  expect(body.change_rate).toBeLessThan(1)
})

test('a machine of another family, one without a snapshot and one that nobody saw', async () => {
  const { visit, compared, store } = await shop()
  await visit(showing({}))
  await visit(
    showing(
      { user_agent: value('Mozilla/5.0 (X11; Linux x86_64; rv:150.0) Gecko/20100101 Firefox/150.0') },
      OTHER,
    ),
  )
  expect((await compared(OWN, OTHER)).body.other_family).toBe(true)
  expect((await compared(OWN, OWN)).body).toMatchObject({ same_device: true, change_rate: 1 })
  await store.writes.deleteFrom('snapshots').execute()
  const { body } = await compared(OWN, OTHER)
  expect(body).toMatchObject({ a: { request_id: null, at: null }, change_rate: null })
  expect(new Set(body.parts.map(({ result }: { result: string }) => result))).toEqual(new Set(['unknown']))
  expect((await compared(OWN, '99999999-2222-4333-8444-555555555555')).status).toBe(404)
  expect((await compared(OWN, 'x')).status).toBe(400)
})
