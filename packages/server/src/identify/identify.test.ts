import { NIL_UUID } from '@inkling/contract'
import { describe, expect, test } from 'vitest'
import { identified, missing, ordinaryReadings, readings, value } from '../../test/identified.ts'
import type { Readings } from '../identification.ts'
import { identify } from './identify.ts'

const identityOf = (given: Partial<Readings> = {}, namespace = identified().domain.namespace) =>
  identify(
    identified({
      readings: { ...ordinaryReadings(), ...given },
      domain: { ...identified().domain, namespace },
    }),
  ).identity

describe('device and visitor', () => {
  test('the same readings give the same identifiers, of version 5, whatever the cookie', () => {
    const first = identityOf()
    const second = identify(identified({ cookieId: '3b5a3f0c-8d8e-4f55-9d49-7a51f3c0f0aa' })).identity
    expect(second).toEqual(first)
    expect(first.deviceId).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
    expect(first.visitorId).not.toBe(first.deviceId)
  })

  test('another machine gives others', () => {
    expect(
      identityOf({ canvas: value({ text: 'zz', geometry: 'b2', winding: true, stable: true }) }).deviceId,
    ).not.toBe(identityOf().deviceId)
  })

  test('identifiers of one domain say nothing about another', () => {
    expect(identityOf({}, 'aaaaaaaa-6a1d-4c1b-9f0e-1a2b3c4d5e6f').deviceId).not.toBe(identityOf().deviceId)
  })

  test('what a browser update changes does not count', () => {
    const { deviceId } = identityOf()
    expect(identityOf({ user_agent: value('Mozilla/5.0 Chrome/157.0.0.0') }).deviceId).toBe(deviceId)
    expect(identityOf({ css: value('other'), engine: missing }).deviceId).toBe(deviceId)
  })

  test('a private window of Firefox, which hides the number of cores, is the same device', () => {
    const gecko = { vendor: value({ vendor: '', product_sub: '20100101' }) }
    const cores = (count: number) => value({ cores: count, memory_gb: null, max_touch_points: 0 })
    const ids = (counts: number[], vendor: Partial<Readings>) =>
      new Set(counts.map((count) => identityOf({ ...vendor, hardware: cores(count) }).deviceId)).size
    expect(ids([2, 4], gecko)).toBe(1)
    expect(ids([12, 8], gecko)).toBe(1)
    expect(ids([4, 8], gecko)).toBe(2)
    expect(ids([2, 4], {})).toBe(2)
  })

  test('a reading with noise in it identifies nothing', () => {
    const noisy = (text: string) =>
      identityOf({ canvas: value({ text, geometry: text, winding: true, stable: false }) })
    expect(noisy('n1')).toEqual(noisy('n2'))
    expect(noisy('n1').components).not.toContain('canvas')
  })

  test('too little to tell machines apart gives nil identifiers', () => {
    const shared = readings({
      platform: value('Win32'),
      timezone: value({ name: 'Europe/Berlin', offset_minutes: 60 }),
      math: value('m1'),
    })
    for (const few of [readings(), shared]) {
      expect(identify(identified({ readings: few })).identity).toEqual({
        deviceId: NIL_UUID,
        visitorId: NIL_UUID,
        components: [],
      })
    }
  })
})
