import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { identified, missing, proof, value } from '../../test/identified.ts'
import { machine } from '../../test/machine.ts'
import type { Identity } from '../visit/identification.ts'
import type { Readings } from '../visit/received.ts'
import type { Visit } from './components.ts'
import { createLinker, TAKEN } from './linker.ts'
import { memoryDevices } from './relink.ts'

/** What thieves, forgers and clones do to the identity of others. The full figures are from `bench/identity`. */

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

function domain() {
  const devices = memoryDevices()
  const linker = createLinker(devices)
  let atMs = Date.UTC(2026, 5, 1, 12)
  return {
    wait(ms: number) {
      atMs += ms
    },
    learnWindow: linker.learnWindow,
    visit: (given: Partial<Visit>): Promise<Identity> =>
      linker.link({ ...identified({ proof: undefined }), atMs, ...given }, ({ identity, write }) =>
        Promise.resolve(write && !devices.apply(write) ? TAKEN : identity),
      ),
  }
}

const home = (number: number) => `91.${number >> 8}.${number & 255}.7`
const ELSEWHERE = { address: '24.5.6.7', ip: { class: 'residential', asn: 7922 } } as const

describe('a cookie that is replayed from another system', () => {
  test('stays its owner’s in all of 180 turns, and gives the thief nothing', async () => {
    const { visit, wait } = domain()
    let [kept, taken] = [0, 0]
    for (let victim = 0; victim < 30; victim++) {
      const own = { readings: machine(victim), cookieId: randomUUID(), address: home(victim) }
      const { deviceId } = await visit(own)
      for (let turn = 0; turn < 6; turn++) {
        wait(HOUR_MS)
        const system = { ...identified().client, os: turn % 2 === 0 ? 'macOS' : 'Windows' }
        const thief = { ...ELSEWHERE, cookieId: own.cookieId, client: system }
        if ((await visit({ ...thief, readings: machine(100 + victim + turn) })).deviceId === deviceId)
          taken += 1
        wait(HOUR_MS)
        if ((await visit(own)).deviceId === deviceId) kept += 1
      }
    }
    expect([kept, taken]).toEqual([180, 0])
  })

  test('gives the thief nothing who withholds the readings of the hardware', async () => {
    const { visit, wait } = domain()
    const withheld: Partial<Readings>[] = [
      { hardware: missing, client_hints: missing },
      { hardware: missing, webgl: missing },
      { client_hints: missing, webgl: missing },
      { hardware: missing, client_hints: missing, webgl: missing, raster: missing, waveform: missing },
    ]
    let [kept, taken] = [0, 0]
    for (let victim = 0; victim < 15; victim++) {
      const own = { readings: machine(victim), cookieId: randomUUID(), address: home(victim) }
      const { deviceId } = await visit(own)
      for (const without of withheld)
        for (const whose of [victim, 100 + victim]) {
          wait(HOUR_MS)
          const thief = { ...ELSEWHERE, cookieId: own.cookieId, readings: machine(whose, without) }
          if ((await visit(thief)).deviceId === deviceId) taken += 1
          if ((await visit(own)).deviceId === deviceId) kept += 1
        }
    }
    expect([kept, taken]).toEqual([120, 0])
  })

  test('cannot be led over to the thief’s machine one part at a time', async () => {
    const { visit, wait } = domain()
    const own = { readings: machine(1), cookieId: randomUUID(), address: home(1) }
    const { deviceId } = await visit(own)
    const [before, after] = [machine(1), machine(2)]
    const parts = ['hardware', 'client_hints', 'webgl', 'raster', 'typefaces'] as const
    let [kept, taken] = [0, 0]
    for (let turn = 0; turn < 31; turn++) {
      wait(12 * HOUR_MS)
      const led = parts.slice(0, 1 + Math.min(turn, 4)).map((name) => [name, after[name]])
      const thief = {
        ...ELSEWHERE,
        cookieId: own.cookieId,
        readings: { ...before, ...Object.fromEntries(led) },
      }
      if ((await visit(thief)).deviceId === deviceId) taken += 1
      wait(12 * HOUR_MS)
      if ((await visit(own)).deviceId === deviceId) kept += 1
    }
    expect(kept).toBe(31)
    // The first time, one part alone differs, which happens to honest machines too.
    expect(taken).toBeLessThanOrEqual(1)
  })

  test('stays its owner’s even when it was replayed from more machines than are listed under it', async () => {
    const { visit, wait } = domain()
    const own = { readings: machine(1), cookieId: randomUUID(), address: home(1) }
    const { deviceId } = await visit(own)
    for (let thief = 0; thief < 40; thief++) {
      wait(HOUR_MS)
      await visit({ ...ELSEWHERE, cookieId: own.cookieId, readings: machine(10 + thief) })
    }
    expect((await visit(own)).deviceId).toBe(deviceId)
  })
})

describe('readings that are copied', () => {
  test('lead from another provider to a new device, and 48 copies leave the visitor known at home', async () => {
    const { visit, wait } = domain()
    const own = { readings: machine(1), cookieId: randomUUID(), address: home(1) }
    const { deviceId, visitorId } = await visit(own)
    for (let copy = 0; copy < 48; copy++) {
      wait(60_000)
      const from = { address: `${24 + copy}.3.3.3`, ip: { class: 'residential', asn: 9_000 + copy } } as const
      const forged = await visit({ ...from, readings: machine(1), cookieId: randomUUID() })
      expect(forged.deviceId).not.toBe(deviceId)
      expect(forged.visitorId).not.toBe(visitorId)
    }
    wait(20 * DAY_MS)
    expect((await visit({ ...own, cookieId: randomUUID() })).deviceId).toBe(deviceId)
  })
})

test('a browser that keeps its cookie and changes three to five parts at each visit is one device, and told', async () => {
  const { visit, wait } = domain()
  const own = { cookieId: randomUUID(), address: home(1) }
  const parts = ['hardware', 'client_hints', 'webgl', 'raster', 'typefaces'] as const
  const ids = new Set<string>()
  for (let turn = 0; turn < 20; turn++) {
    wait(HOUR_MS)
    const other = machine(50 + turn)
    const changed = parts.slice(0, 3 + (turn % 3)).map((name) => [name, other[name]])
    const { deviceId, decision } = await visit({
      ...own,
      readings: turn === 0 ? machine(1) : { ...machine(1), ...Object.fromEntries(changed) },
    })
    ids.add(deviceId)
    if (turn > 0) expect(decision?.hardwareFlips).toEqual(['machine', 'model', 'gpu'])
  }
  expect(ids.size).toBe(1)
})

describe('clones', () => {
  test('200 behind one address that come within 30 days: at most 5 share a device', async () => {
    const { visit, wait } = domain()
    const cookies = Array.from({ length: 200 }, () => randomUUID())
    const seen = new Map<string, number>()
    for (let round = 0; round < 3; round++)
      for (const cookieId of cookies) {
        wait((10 * DAY_MS) / 200)
        const { deviceId } = await visit({ readings: machine(1), address: home(1), cookieId })
        // By the end of the third round each machine came three times.
        if (round === 2) seen.set(deviceId, (seen.get(deviceId) ?? 0) + 1)
      }
    const sharing = [...seen.values()].filter((count) => count > 1).reduce((sum, count) => sum + count, 0)
    expect(sharing).toBeLessThanOrEqual(5)
  })

  const phones: [string, Partial<Visit>][] = [
    [
      'iPhones',
      {
        client: {
          ...identified().client,
          os: 'IOS (iPhone)',
          browser: 'Safari (iOS)',
          engine: 'WebKit',
          deviceType: 'mobile',
        },
        readings: machine(1, {
          vendor: value({ vendor: 'Apple Computer, Inc.', product_sub: '20030107' }),
          client_hints: missing,
        }),
      },
    ],
    [
      'Androids',
      {
        client: { ...identified().client, os: 'Android', browser: 'Chrome (Android)', deviceType: 'mobile' },
        readings: machine(3),
      },
    ],
  ]
  test.each(phones)(
    '40 pairs of identical %s at one home are apart within a week of use',
    async (_name, phone) => {
      const { visit, wait } = domain()
      let together = 0
      for (let pair = 0; pair < 40; pair++) {
        const [one, other] = [randomUUID(), randomUUID()].map((cookieId) => ({
          ...phone,
          address: home(pair),
          cookieId,
        }))
        if (!one || !other) continue
        let last: string[] = []
        for (let day = 0; day < 4; day++) {
          last = [(await visit(one)).deviceId]
          wait(20 * HOUR_MS)
          last.push((await visit(other)).deviceId)
          wait(20 * HOUR_MS)
        }
        if (last[0] === last[1]) together += 1
      }
      expect(together).toBe(0)
    },
  )
})

test('a private window at another address leaves the device as well known as before', async () => {
  const { visit, wait, learnWindow } = domain()
  const own = { readings: machine(1), cookieId: randomUUID(), address: home(1) }
  const { deviceId } = await visit(own)
  wait(HOUR_MS)
  const hidden = { ...own, cookieId: randomUUID(), address: '91.0.9.9' }
  expect((await visit(hidden)).deviceId).toBe(deviceId)
  learnWindow(hidden.cookieId, true)
  wait(HOUR_MS)
  expect((await visit(own)).deviceId).toBe(deviceId)
  wait(30 * DAY_MS)
  const cleared = await visit({ ...own, cookieId: randomUUID() })
  expect(cleared.deviceId).toBe(deviceId)
  expect(cleared.decision?.confidence).toBeGreaterThan(0.85)
})

test('a window that says it is private keeps a copied device in foreign networks no longer than any other', async () => {
  const visits = async (claim: boolean | undefined): Promise<boolean[]> => {
    const { visit, wait, learnWindow } = domain()
    const own = { readings: machine(1), cookieId: randomUUID(), address: home(1) }
    const copy = { ...own, cookieId: randomUUID() }
    const { deviceId } = await visit(own)
    wait(HOUR_MS)
    const seen: boolean[] = []
    for (let day = 0; day < 10; day++) {
      const network = { address: `24.${day}.6.7`, ip: { class: 'residential', asn: 7_000 + day } } as const
      const { deviceId: got } = await visit(day === 0 ? copy : { ...copy, ...network })
      seen.push(got === deviceId)
      if (claim !== undefined) learnWindow(copy.cookieId, claim)
      wait(DAY_MS / 2)
      expect((await visit(own)).deviceId).toBe(deviceId)
      wait(DAY_MS / 2)
    }
    return seen
  }
  expect(await visits(true)).toEqual(await visits(undefined))
  expect((await visits(true)).at(-1)).toBe(false)
})

test('a private window that stays open for days at home takes no device from its machine', async () => {
  const { visit, wait, learnWindow } = domain()
  const own = { readings: machine(1), cookieId: randomUUID(), address: home(1) }
  const hidden = { ...own, cookieId: randomUUID() }
  const { deviceId } = await visit(own)
  for (let day = 0; day < 5; day++) {
    expect((await visit(hidden)).deviceId).toBe(deviceId)
    learnWindow(hidden.cookieId, true)
    wait(DAY_MS / 2)
    expect((await visit(own)).deviceId).toBe(deviceId)
    wait(DAY_MS / 2)
  }
})

test('3,000 visits of bots from one network within an hour change no confidence in a returning device', async () => {
  const confidences: (number | undefined)[] = []
  for (const bots of [0, 3_000]) {
    const { visit, wait } = domain()
    const own = { readings: machine(1), address: home(1) }
    await visit({ ...own, cookieId: randomUUID() })
    wait(30 * DAY_MS)
    for (let bot = 0; bot < bots; bot++)
      await visit({ readings: machine(5), cookieId: randomUUID(), address: '45.1.1.1' })
    wait(DAY_MS)
    confidences.push((await visit({ ...own, cookieId: randomUUID() })).decision?.confidence)
  }
  const [without = 0, withBots = 0] = confidences
  expect(without).toBeGreaterThan(0.7)
  expect(Math.abs(without - withBots)).toBeLessThan(0.1)
})

describe('a cookie that came to a device by its look', () => {
  const VICTIM = { readings: machine(1), address: home(1) }
  const key = (id: string) => ({ proof: proof({ key: { state: 'proven', id } }) })
  const isByLook = ({ decision }: Identity) => decision?.isByLook === true

  test('stays marked on later visits, and so do the key that came with it and its next cookies', async () => {
    const { visit, wait } = domain()
    const own = { ...VICTIM, ...key('own'), cookieId: randomUUID() }
    const { deviceId } = await visit(own)
    wait(DAY_MS)
    const imitator = { ...VICTIM, ...key('imitator'), cookieId: randomUUID() }
    for (const given of [imitator, imitator, { ...imitator, cookieId: randomUUID() }]) {
      const identity = await visit(given)
      expect([identity.deviceId, isByLook(identity)]).toEqual([deviceId, true])
      wait(HOUR_MS)
    }
    const identity = await visit(own)
    expect([identity.deviceId, isByLook(identity)]).toEqual([deviceId, false])
  })

  test('is marked as well where its device is merged into the one it looks like', async () => {
    const { visit, wait } = domain()
    const own = { ...VICTIM, cookieId: randomUUID() }
    const { deviceId } = await visit(own)
    wait(10 * DAY_MS)
    const imitator = { ...VICTIM, cookieId: randomUUID() }
    await visit({ ...imitator, ...ELSEWHERE, readings: { ...machine(1), webgl: missing } })
    wait(DAY_MS)
    const merged = await visit({ ...imitator, domain: { ...identified().domain, falseMergeCost: 0.01 } })
    expect(merged).toMatchObject({ deviceId, decision: { outcome: 'cookie', isByLook: true } })
    expect(merged.decision?.merged).toBeDefined()
    wait(HOUR_MS)
    expect(isByLook(await visit(imitator))).toBe(true)
    expect(isByLook(await visit(own))).toBe(false)
  })
})
