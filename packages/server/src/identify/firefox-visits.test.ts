import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { identified, missing, ordinaryReadings, value } from '../../test/identified.ts'
import type { Identity } from '../visit/identification.ts'
import type { Fact, Readings } from '../visit/received.ts'
import { componentsOf } from './components.ts'
import { createLinker, TAKEN } from './linker.ts'
import { memoryDevices } from './relink.ts'

/** What Firefox 153 was seen to tell in each of these situations. */

const READINGS: Readings = {
  ...ordinaryReadings(),
  vendor: value({ vendor: '', product_sub: '20100101' }),
  hardware: value({ cores: 12, memory_gb: null, max_touch_points: 0 }),
  webgl: value({
    vendor: 'Mozilla',
    renderer: 'Radeon HD 3200 Graphics, or similar',
    unmasked_vendor: 'AMD',
    unmasked_renderer: 'Radeon HD 3200 Graphics, or similar',
    version: '',
    shading_language: '',
    parameters: 'p1',
    extensions: 'e1',
  }),
  preferences: value({
    color_scheme: 'light',
    contrast: 'no-preference',
    reduced_motion: false,
    forced_colors: false,
    color_gamut: 'srgb',
    hdr: false,
    pointer: 'fine',
    hover: true,
    do_not_track: 'unspecified',
    global_privacy_control: false,
  }),
}

const changed = <Value>(fact: Fact<Value>, change: Partial<Value>): Fact<Value> =>
  fact.ok ? value({ ...fact.value, ...change }) : missing

function domain() {
  const devices = memoryDevices()
  const linker = createLinker(devices)
  let atMs = Date.UTC(2026, 10, 20, 12)
  return (facts: Partial<Readings> = {}, cookieId: string = randomUUID(), address = '91.0.0.1') => {
    atMs += 3_600_000
    const visit = {
      ...identified({ readings: { ...READINGS, ...facts }, address, proof: undefined }),
      atMs,
      cookieId,
      client: { ...identified().client, browser: 'Firefox' },
    }
    return linker.link(visit, ({ identity, write }) =>
      Promise.resolve<Identity | typeof TAKEN>(write && !devices.apply(write) ? TAKEN : identity),
    )
  }
}

const zoomed: Partial<Readings> = {
  screen: changed(READINGS.screen, { width: 1280, height: 720, pixel_ratio: 1.5 }),
  raster: changed(READINGS.raster, { glyphs: 'letters at 150 %' }),
}

/** With `privacy.resistFingerprinting`: a window of 1400 by 900. */
const resisting: Partial<Readings> = {
  hardware: value({ cores: 4, memory_gb: null, max_touch_points: 5 }),
  screen: changed(READINGS.screen, { width: 1400, height: 900, pixel_ratio: 2 }),
  window: value({
    inner_width: 1400,
    inner_height: 900,
    outer_width: 1400,
    outer_height: 900,
    screen_x: 0,
    screen_y: 0,
  }),
  timezone: value({ name: 'Atlantic/Reykjavik', offset_minutes: 0 }),
  webgl: changed(READINGS.webgl, {
    renderer: 'Mozilla',
    unmasked_renderer: 'Mozilla',
    parameters: 'p2',
    extensions: 'e2',
  }),
  raster: changed(READINGS.raster, { stable: false }),
}

describe('Firefox', () => {
  test('is the same device without its cookie when it draws text at another zoom', async () => {
    const visit = domain()
    const first = await visit()
    const second = await visit(zoomed)
    expect(second.deviceId).toBe(first.deviceId)
    expect(second.decision?.changed).toEqual(['zoom'])
  })

  test('that draws differently at the same zoom counts as changed', async () => {
    const visit = domain()
    await visit()
    const second = await visit({ raster: zoomed.raster ?? missing })
    expect(second.decision?.changed).toEqual(['raster'])
  })

  test('has the same settings in a private window, which always sends the privacy signal', async () => {
    const visit = domain()
    const first = await visit()
    const second = await visit({
      preferences: changed(READINGS.preferences, { global_privacy_control: true }),
    })
    expect(second.deviceId).toBe(first.deviceId)
    expect(second.decision?.changed).toEqual([])
  })

  test('shows an ordinary window by its cores alone, since a private one draws exactly, too', () => {
    const windowOf = (cores: number) =>
      componentsOf({
        ...identified({ readings: { ...READINGS, hardware: changed(READINGS.hardware, { cores }) } }),
        client: { ...identified().client, browser: 'Firefox' },
      }).isPrivate
    expect([2, 6, 12].map(windowOf)).toEqual([false, false, false])
    expect([4, 8].map(windowOf)).toEqual([undefined, undefined])
  })

  test('that starts to resist fingerprinting is not taken for a stolen cookie on another machine', async () => {
    const visit = domain()
    const cookieId = randomUUID()
    const first = await visit({}, cookieId)
    const second = await visit(resisting, cookieId)
    expect(second.deviceId).toBe(first.deviceId)
    expect(second.decision).toMatchObject({ outcome: 'cookie', hardwareFlips: [] })
    const third = await visit({}, cookieId)
    expect(third.decision).toMatchObject({ outcome: 'cookie', hardwareFlips: [] })
  })

  test('that resists fingerprinting is not taken for another Firefox that does', async () => {
    const visit = domain()
    const first = await visit(resisting)
    const second = await visit(resisting, randomUUID(), '203.0.113.5')
    expect(second.deviceId).not.toBe(first.deviceId)
  })
})
