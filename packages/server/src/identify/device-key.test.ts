import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { identified, missing, proof, value } from '../../test/identified.ts'
import { machine } from '../../test/machine.ts'
import type { Identity } from '../visit/identification.ts'
import type { Visit } from './components.ts'
import { createLinker, TAKEN } from './linker.ts'
import { memoryDevices } from './relink.ts'

/** What possession of a device key changes about cookies, and what a missing key leaves as it was. */

const HOUR_MS = 3_600_000

function domain() {
  const devices = memoryDevices()
  const linker = createLinker(devices)
  let atMs = Date.UTC(2026, 5, 1, 12)
  return async (given: Partial<Visit>): Promise<Identity & { key: string | undefined }> => {
    atMs += 5 * HOUR_MS
    const identity = await linker.link<Identity>(
      { ...identified({ proof: undefined }), atMs, ...given },
      ({ identity, write }) => Promise.resolve(write && !devices.apply(write) ? TAKEN : identity),
    )
    return { ...identity, key: identity.decision?.keyHistory }
  }
}

const withKey = (id: string) => ({ proof: proof({ key: { state: 'proven', id } }) })
const KEYLESS = { proof: proof({ key: { state: 'none' } }) }
const INTERRUPTED = { proof: proof({ key: { state: 'none' }, interrupted: true }) }
const UNSUPPORTED = { proof: proof({ key: { state: 'unsupported' } }) }

const HOME = { address: '91.0.0.7' } as const
const ELSEWHERE = { address: '24.5.6.7', ip: { class: 'residential', asn: 7922 } } as const

/** A visitor at home, and a visit of his with his cookie and his key. */
function visitor(number = 1) {
  const own = { ...HOME, readings: machine(number), cookieId: randomUUID() }
  return { own, proven: { ...own, ...withKey(`key of ${number}`) } }
}

describe('a browser with its key', () => {
  test('is the same device with its cookie, without it, and in a network it never used', async () => {
    const visit = domain()
    const { proven } = visitor()
    const first = await visit(proven)
    expect(first.key).toBe('first')
    expect(await visit(proven)).toMatchObject({ deviceId: first.deviceId, key: 'same' })
    const cleared = { ...proven, ...ELSEWHERE, cookieId: randomUUID() }
    expect(await visit(cleared)).toMatchObject({
      deviceId: first.deviceId,
      visitorId: first.visitorId,
      key: 'on_other_cookie',
      decision: { outcome: 'device_key' },
    })
    expect(await visit(cleared)).toMatchObject({ deviceId: first.deviceId, key: 'same' })
  })

  test('is told on other hardware, where it gets no device by its key, as in a profile that was moved', async () => {
    const visit = domain()
    const { proven } = visitor()
    const { deviceId } = await visit(proven)
    const moved = await visit({ ...proven, ...ELSEWHERE, readings: machine(9) })
    expect(moved.key).toBe('copied')
    expect(moved.deviceId).not.toBe(deviceId)
    expect(await visit(proven)).toMatchObject({ deviceId, key: 'same' })
  })

  test('of two machines of one look in turns, gets a device of its own like its cookie does', async () => {
    const visit = domain()
    const phone = {
      ...identified().client,
      os: 'Android',
      browser: 'Chrome (Android)',
      deviceType: 'mobile',
    } as const
    const [one, other] = [visitor().proven, { ...visitor().proven, ...withKey('other') }].map((given) => ({
      ...given,
      client: phone,
    }))
    if (!one || !other) throw new Error('two visitors')
    const last: Awaited<ReturnType<typeof visit>>[] = []
    for (let day = 0; day < 5; day++) last.splice(0, 2, await visit(one), await visit(other))
    expect(last[0]?.deviceId).not.toBe(last[1]?.deviceId)
    expect(last.map(({ key }) => key)).not.toContain('another_machine')
  })
})

describe('a stolen cookie', () => {
  const thieves: [string, Partial<Visit>, string][] = [
    ['with no key', KEYLESS, 'another_machine'],
    ['with a key of the thief', withKey('thief'), 'another_machine'],
    ['whose thief says that the browser has no keys', UNSUPPORTED, 'another_machine'],
    ['with a wrong signature', { proof: proof({ key: { state: 'invalid' } }) }, 'another_machine'],
    ['whose thief says that the page was left early', INTERRUPTED, 'missing'],
  ]
  test.each(thieves)(
    '%s brings neither device nor visitor, and its owner keeps both',
    async (_, key, history) => {
      const visit = domain()
      const { own, proven } = visitor()
      const { deviceId, visitorId } = await visit(proven)
      for (let turn = 0; turn < 10; turn++) {
        const thief = await visit({ ...own, ...ELSEWHERE, ...key, readings: machine(5) })
        expect(thief.deviceId).not.toBe(deviceId)
        expect(thief.visitorId).not.toBe(visitorId)
        expect(thief.key).toBe(history)
        expect(await visit(proven)).toMatchObject({ deviceId, visitorId, key: 'same' })
      }
      // Without its cookie as well, and from where the thief is.
      expect(await visit({ ...proven, ...ELSEWHERE, cookieId: randomUUID() })).toMatchObject({
        deviceId,
        visitorId,
      })
    },
  )

  test('with one part of the hardware that differs gives nothing, though without a key that could be chance', async () => {
    const visit = domain()
    const { own, proven } = visitor()
    const { deviceId } = await visit(proven)
    const another = { ...own, ...ELSEWHERE, readings: machine(1, { hardware: machine(4).hardware }) }
    for (const [key, history] of [
      [withKey('thief'), 'another_machine'],
      [KEYLESS, 'missing'],
    ] as const) {
      const thief = await visit({ ...another, ...key })
      expect(thief.key).toBe(history)
      expect(thief.deviceId).not.toBe(deviceId)
    }
  })

  test('with all readings copied too is worth no more than the readings', async () => {
    for (const key of [KEYLESS, UNSUPPORTED, withKey('thief')]) {
      const visit = domain()
      const { own, proven } = visitor()
      const { deviceId, visitorId } = await visit(proven)
      const copy = await visit({ ...own, ...ELSEWHERE, ...key })
      expect(copy.deviceId).not.toBe(deviceId)
      expect(copy.visitorId).not.toBe(visitorId)
      expect(['missing', 'replaced']).toContain(copy.key)
      expect(await visit(proven)).toMatchObject({ deviceId, visitorId })
    }
  })

  test('with the hardware withheld is compared with its owner, though it gets a device of its own', async () => {
    const visit = domain()
    const { own, proven } = visitor()
    const { deviceId } = await visit(proven)
    const readings = machine(1, {
      webgl: missing,
      raster: missing,
      typefaces: missing,
      rounding: missing,
      languages: value({ language: 'fr', languages: ['fr'], locale: 'fr' }),
      timezone: value({ name: 'America/New_York', offset_minutes: -240 }),
    })
    const thief = await visit({ ...own, ...ELSEWHERE, ...withKey('thief'), readings })
    expect(thief.key).toBe('replaced')
    expect(thief.deviceId).not.toBe(deviceId)
    expect(thief.decision?.changed).toEqual(expect.arrayContaining(['languages', 'timezone', 'prefix']))
  })

  test('in a browser that has a key and a device leaves the thief in his own, and says so', async () => {
    const visit = domain()
    const { own, proven } = visitor()
    const victim = await visit(proven)
    const thief = { ...visitor(5).proven, ...ELSEWHERE }
    const before = await visit(thief)
    expect(await visit({ ...thief, cookieId: own.cookieId })).toMatchObject({
      deviceId: before.deviceId,
      key: 'another_machine',
    })
    expect(await visit(proven)).toMatchObject({ deviceId: victim.deviceId, key: 'same' })
  })
})

describe('nobody is accused', () => {
  test('who lost the key at home, and the device stays', async () => {
    const visit = domain()
    const { own, proven } = visitor()
    const { deviceId } = await visit(proven)
    const again = { ...own, ...withKey('made again') }
    expect(await visit(again)).toMatchObject({ deviceId, key: 'replaced' })
    expect(await visit(again)).toMatchObject({ deviceId, key: 'same' })
  })

  test('who lost the key in the network of the device, where an update changed one part of the hardware', async () => {
    const visit = domain()
    const { own, proven } = visitor()
    await visit(proven)
    const updated = machine(1, { hardware: machine(4).hardware })
    const nearby = { ...own, address: '91.0.0.99', ...withKey('made again'), readings: updated }
    expect((await visit(nearby)).key).toBe('replaced')
  })

  test('who lost the key on a journey, where a laptop uses its second graphics card for the first time', async () => {
    const visit = domain()
    const { own, proven } = visitor()
    await visit(proven)
    const onBattery = machine(1, { webgl: machine(4).webgl })
    const travelling = { ...own, ...ELSEWHERE, ...withKey('made again'), readings: onBattery }
    expect((await visit(travelling)).key).toBe('replaced')
  })

  test('who lost the key at home on a machine whose look is not its own, and the device stays', async () => {
    const visit = domain()
    const { own, proven } = visitor()
    const plain = machine(1, { webgl: missing, raster: missing, typefaces: missing })
    const { deviceId } = await visit({ ...proven, readings: plain })
    // Of many machines alike, none is found by its look.
    for (let other = 0; other < 4; other++)
      await visit({ ...proven, readings: plain, cookieId: randomUUID(), ...withKey(`of another ${other}`) })
    const lost = {
      ...own,
      readings: { ...plain, languages: value({ language: 'fr', languages: ['fr'], locale: 'fr' }) },
      ...withKey('made again'),
    }
    expect(await visit(lost)).toMatchObject({ deviceId, key: 'replaced' })
    expect(await visit({ ...lost, ...ELSEWHERE })).toMatchObject({ deviceId, key: 'same' })
  })

  test('whose page was left before it could sign', async () => {
    const visit = domain()
    const { own, proven } = visitor()
    const { deviceId } = await visit(proven)
    expect(await visit({ ...own, ...INTERRUPTED })).toMatchObject({ deviceId, key: 'missing' })
    const early = { ...own, ...INTERRUPTED, readings: machine(1, { webgl: missing }) }
    expect(await visit(early)).toMatchObject({ deviceId, key: 'missing' })
    expect(await visit(proven)).toMatchObject({ deviceId, key: 'same' })
  })

  test('who opens a private window or clears everything: a new key under a new cookie', async () => {
    const visit = domain()
    const { own, proven } = visitor()
    const { deviceId } = await visit(proven)
    const cleared = { ...own, cookieId: randomUUID(), ...withKey('after clearing') }
    expect(await visit(cleared)).toMatchObject({ deviceId, key: 'first' })
    const closed = { ...own, cookieId: randomUUID(), ...UNSUPPORTED }
    expect(await visit(closed)).toMatchObject({ deviceId, key: undefined })
  })

  test('whose browser changes its hardware at home and keeps its key', async () => {
    const visit = domain()
    const { proven } = visitor()
    const { deviceId } = await visit(proven)
    for (let turn = 2; turn < 6; turn++)
      expect(await visit({ ...proven, readings: machine(turn) })).toMatchObject({ deviceId, key: 'same' })
  })

  test('whose browser has no keys: it is identified as before', async () => {
    const [keyed, keyless] = [domain(), domain()]
    const cookieId = randomUUID()
    for (let turn = 0; turn < 6; turn++) {
      const given = { ...(turn % 2 ? ELSEWHERE : HOME), cookieId, readings: machine(turn === 4 ? 7 : 1) }
      const [one, other] = [await keyed({ ...given, ...UNSUPPORTED }), await keyless(given)]
      expect(one).toEqual(other)
      expect(one.key).toBeUndefined()
    }
  })
})

test('a key that came first from elsewhere does not take over a cookie that had none', async () => {
  const visit = domain()
  const { own } = visitor()
  const { deviceId } = await visit(own)
  await visit({ ...own, ...ELSEWHERE, ...withKey('thief'), readings: machine(1, { webgl: missing }) })
  expect(
    await visit({ ...own, address: '91.77.1.1', ip: { class: 'residential', asn: 3320 } }),
  ).toMatchObject({
    deviceId,
    key: undefined,
  })
})
