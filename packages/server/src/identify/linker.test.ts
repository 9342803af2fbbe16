import { randomUUID } from 'node:crypto'
import { NIL_UUID } from '@inkling/contract'
import { describe, expect, test } from 'vitest'
import { identified, missing, ordinaryReadings, readings, value } from '../../test/identified.ts'
import type { Identity } from '../visit/identification.ts'
import type { Readings } from '../visit/received.ts'
import type { Visit } from './components.ts'
import { createLinker, type Linker, TAKEN } from './linker.ts'
import { memoryDevices } from './relink.ts'

/** A domain of its own; each visit comes an hour after the one before. */
function domain() {
  const devices = memoryDevices()
  const linker = createLinker(devices)
  let atMs = Date.UTC(2026, 10, 20, 12)
  const link = (visit: Visit): Promise<Identity> =>
    linker.link(visit, ({ identity, write }) =>
      Promise.resolve(write && !devices.apply(write) ? TAKEN : identity),
    )
  return {
    link,
    visit({
      facts = {},
      hours = 1,
      ...given
    }: Partial<Visit> & { facts?: Partial<Readings>; hours?: number }) {
      atMs += hours * 3_600_000
      return link({ ...identified({ readings: desktop(facts), proof: undefined }), atMs, ...given })
    },
  }
}

const desktop = (facts: Partial<Readings> = {}): Readings => ({
  ...ordinaryReadings(),
  vendor: value({ vendor: 'Google Inc.', product_sub: '20030107' }),
  client_hints: value({
    brands: [],
    mobile: false,
    platform: 'Windows',
    model: '',
    architecture: 'x86',
    bitness: '64',
  }),
  webgl: value({
    vendor: 'WebKit',
    renderer: 'WebKit WebGL',
    unmasked_vendor: 'NVIDIA',
    unmasked_renderer:
      'ANGLE (NVIDIA, NVIDIA GeForce RTX 3060 (0x2504) Direct3D11 vs_5_0 ps_5_0, D3D11-31.0.15.3623)',
    version: '',
    shading_language: '',
    parameters: 'p1',
    extensions: 'e1',
  }),
  ...facts,
})

const cookie = () => ({ cookieId: randomUUID() })

describe('the same device stays the same', () => {
  const changes: [string, Partial<Visit> & { facts?: Partial<Readings> }][] = [
    ['nothing but its cookie lost', {}],
    ['another time zone', { facts: { timezone: value({ name: 'Asia/Tokyo', offset_minutes: 540 }) } }],
    [
      'another language',
      { facts: { languages: value({ language: 'fr', languages: ['fr'], locale: 'fr' }) } },
    ],
    [
      'a zoomed page',
      {
        facts: {
          screen: value({
            width: 1920,
            height: 1080,
            avail_width: 1920,
            avail_height: 1040,
            color_depth: 24,
            pixel_ratio: 1.5,
          }),
        },
      },
    ],
    [
      'another monitor',
      {
        facts: {
          screen: value({
            width: 2560,
            height: 1440,
            avail_width: 2560,
            avail_height: 1400,
            color_depth: 24,
            pixel_ratio: 1,
          }),
        },
      },
    ],
    ['a page that sees fewer readings', { facts: { client_hints: missing, media_devices: missing } }],
    [
      'noise on its drawings',
      {
        facts: {
          raster: value({ glyphs: 'n', shapes: 'n', stable: false }),
          waveform: value({ synthesis: 's', resampling: 'r', stable: false }),
        },
      },
    ],
    ['one more font', { facts: { typefaces: value(['Arial', 'Calibri', 'Fira Code']) } }],
    ['another address of its provider', { address: '91.0.0.77' }],
  ]
  test.each(changes)('%s', async (_name, change) => {
    const { visit } = domain()
    const first = await visit(cookie())
    const second = await visit({ ...cookie(), ...change })
    expect(second.deviceId).toBe(first.deviceId)
    expect(second.visitorId).toBe(first.visitorId)
    expect(second.decision).toMatchObject({ outcome: 'linked', hardwareFlips: [] })
  })

  test('Brave, which makes up cores and memory at each start, in a network of its own each day', async () => {
    const { visit } = domain()
    const own = cookie()
    const brave = (start: number): Partial<Readings> => ({
      client_hints: value({
        brands: [{ brand: 'Brave', version: '142' }],
        mobile: false,
        platform: 'Windows',
        model: '',
        architecture: 'x86',
        bitness: '64',
      }),
      hardware: value({ cores: 2 + start, memory_gb: 2 ** (start % 4), max_touch_points: 0 }),
    })
    const ids = new Set<string>()
    for (let day = 0; day < 10; day++)
      ids.add((await visit({ ...own, facts: brave(day), address: `91.${day}.3.7`, hours: 24 })).deviceId)
    expect(ids.size).toBe(1)
  })

  test('apps of a phone that show pages, each with its own cookies', async () => {
    const { visit } = domain()
    const app = { client: { ...identified().client, os: 'Android', browser: 'Chrome WebView' } }
    const [one, other] = [cookie(), cookie()]
    const ids = new Set<string>()
    for (let day = 0; day < 5; day++)
      for (const its of [one, other]) ids.add((await visit({ ...app, ...its, hours: 12 })).deviceId)
    expect(ids.size).toBe(1)
  })

  test('a GPU driver with another version is the same GPU', async () => {
    const { visit } = domain()
    const { webgl } = desktop()
    const first = await visit(cookie())
    const renderer =
      'ANGLE (NVIDIA, NVIDIA GeForce RTX 3060 (0x2504) Direct3D11 vs_5_0 ps_5_0, D3D11-32.0.15.6094)'
    const updated = webgl.ok ? value({ ...webgl.value, unmasked_renderer: renderer }) : missing
    const second = await visit({ ...cookie(), facts: { webgl: updated } })
    expect(second.deviceId).toBe(first.deviceId)
    expect(second.decision?.changed).not.toContain('gpu')
  })

  test('a profile follows its browser: after many small changes the latest look is recognised too', async () => {
    const { visit } = domain()
    const same = cookie()
    const first = await visit(same)
    for (let version = 157; version < 165; version++)
      await visit({
        ...same,
        hours: 24 * 28,
        facts: { raster: value({ glyphs: `t${version}`, shapes: 'g', stable: true }) },
      })
    const last = await visit({
      ...cookie(),
      facts: { raster: value({ glyphs: 't164', shapes: 'g', stable: true }) },
    })
    expect(last.deviceId).toBe(first.deviceId)
  })

  test('two simultaneous first visits make one device', async () => {
    const { visit } = domain()
    const same = cookie()
    const identities = await Promise.all([visit(same), visit(same), visit(cookie()), visit(cookie())])
    expect(new Set(identities.map(({ deviceId }) => deviceId)).size).toBe(1)
  })

  test('two processes that see a new device at the same time agree on it', async () => {
    const devices = memoryDevices()
    const [one, other] = [createLinker(devices), createLinker(devices)]
    const met = Promise.withResolvers<void>()
    let waiting = 0
    const link = (linker: typeof one) =>
      linker.link(
        identified({ readings: desktop(), proof: undefined, ...cookie() }),
        async ({ identity, write }) => {
          waiting += 1
          if (waiting === 2) met.resolve()
          await met.promise
          return write && !devices.apply(write) ? TAKEN : identity
        },
      )
    const [first, second] = await Promise.all([link(one), link(other)])
    expect(second.deviceId).toBe(first.deviceId)
  })

  test('each of many identical machines, which reach several nodes at once', async () => {
    const devices = memoryDevices()
    const image = { readings: desktop(), proof: undefined, address: '91.0.0.7' }
    const link = (linker: Linker, visit: Visit, arrived = Promise.resolve()) =>
      linker.link(visit, async ({ identity, write }) => {
        await arrived
        return write && !devices.apply(write) ? TAKEN : identity
      })
    // So many that no machine is taken for another one.
    const known = createLinker(devices)
    for (let day = 0; day < 40; day++)
      await link(known, identified({ ...image, ...cookie(), atMs: Date.UTC(2026, 8, 1 + day) }))
    const together = Promise.withResolvers<void>()
    const visits = Array.from({ length: 8 }, () =>
      link(createLinker(devices), identified({ ...image, ...cookie() }), together.promise),
    )
    together.resolve()
    const ids = (await Promise.all(visits)).map(({ deviceId }) => deviceId)
    expect(ids).not.toContain(NIL_UUID)
    expect(new Set(ids).size).toBe(visits.length)
  })
})

describe('two devices stay two', () => {
  test('two browsers on one machine', async () => {
    const { visit } = domain()
    const chrome = await visit(cookie())
    const edge = await visit({ ...cookie(), client: { ...identified().client, browser: 'Microsoft Edge' } })
    expect(edge.deviceId).not.toBe(chrome.deviceId)
  })

  test('identical phones in one carrier’s network, where addresses change hands', async () => {
    const { visit } = domain()
    const ids = new Set<string>()
    for (let phone = 0; phone < 60; phone++)
      ids.add(
        (
          await visit({
            ...cookie(),
            address: `80.187.0.${phone % 4}`,
            ip: { class: 'mobile', asn: 3320 },
            client: {
              ...identified().client,
              os: 'IOS (iPhone)',
              browser: 'Safari (iOS)',
              deviceType: 'mobile',
            },
            hours: 30,
          })
        ).deviceId,
      )
    expect(ids.size).toBeGreaterThan(50)
  })

  test('a known cookie on another machine is reported as carried over', async () => {
    const { visit } = domain()
    const same = cookie()
    const first = await visit(same)
    const moved = await visit({
      ...same,
      address: '62.5.5.5',
      facts: {
        hardware: value({ cores: 16, memory_gb: 32, max_touch_points: 0 }),
        webgl: missing,
        raster: value({ glyphs: 'x', shapes: 'y', stable: true }),
      },
    })
    expect(moved.deviceId).not.toBe(first.deviceId)
    expect(moved.decision).toMatchObject({
      outcome: 'cookie_carried_over',
      hardwareFlips: ['machine', 'model'],
    })
  })

  test('one changed piece of hardware keeps the device and is reported', async () => {
    const { visit } = domain()
    const same = cookie()
    const first = await visit(same)
    const changed = await visit({
      ...same,
      facts: { hardware: value({ cores: 4, memory_gb: 8, max_touch_points: 0 }) },
    })
    expect(changed.deviceId).toBe(first.deviceId)
    expect(changed.decision?.hardwareFlips).toEqual(['machine'])
  })

  test('a browser under the name of another system is told from another machine', async () => {
    const { visit } = domain()
    const same = cookie()
    await visit(same)
    const client = { ...identified().client, os: 'IOS (iPhone)', browser: 'Safari (iOS)' }
    const facts = {
      platform: value('iPhone'),
      hardware: value({ cores: 8, memory_gb: 8, max_touch_points: 1 }),
    }
    const renamed = await visit({ ...same, client, facts })
    expect(renamed.decision).toMatchObject({ hardwareFlips: ['machine'], isOtherFamily: true })
    const itself = await visit(same)
    expect(itself.decision).not.toHaveProperty('isOtherFamily')
  })

  test('identifiers of one domain say nothing about another', async () => {
    const { link, visit } = domain()
    const first = await visit(cookie())
    const elsewhere = await link({
      ...identified({ readings: desktop(), proof: undefined }),
      domain: { id: 2, name: 'other.example', namespace: 'aaaaaaaa-6a1d-4c1b-9f0e-1a2b3c4d5e6f' },
    })
    expect(elsewhere.deviceId).not.toBe(first.deviceId)
    expect(elsewhere.decision?.devices).toBe(0)
  })
})

describe('visitors', () => {
  const languages = (language: string) => ({
    languages: value({ language, languages: [language], locale: language }),
  })

  test('two profiles in one language are one visitor', async () => {
    const { visit } = domain()
    const [one, other] = [cookie(), cookie()]
    const ids = new Set<string>()
    for (let turn = 0; turn < 6; turn++) {
      ids.add((await visit({ ...one, hours: 12 })).visitorId)
      ids.add((await visit({ ...other, hours: 12 })).visitorId)
    }
    expect(ids.size).toBe(1)
  })

  test('two profiles that alternate with different languages are two visitors of one device', async () => {
    const { visit } = domain()
    const [one, other] = [cookie(), cookie()]
    const seen: Identity[][] = []
    for (let turn = 0; turn < 6; turn++)
      seen.push([
        await visit({ ...one, hours: 12, facts: languages('de') }),
        await visit({ ...other, hours: 12, facts: languages('tr') }),
      ])
    expect(new Set(seen.flat().map(({ deviceId }) => deviceId)).size).toBe(1)
    const [first, second] = seen.at(-1) ?? []
    expect(second?.visitorId).not.toBe(first?.visitorId)
    expect(first?.visitorId).toBe(seen[0]?.[0]?.visitorId)
  })
})

test('a cookie that alternates with another one from elsewhere gets its own device', async () => {
  const { visit } = domain()
  const [one, other] = [cookie(), cookie()]
  const first = await visit({ ...one, address: '91.0.0.1' })
  const taken = await visit({ ...other, address: '91.0.0.1', hours: 30 })
  expect(taken.deviceId).toBe(first.deviceId)
  await visit({ ...one, address: '84.1.1.1', hours: 30 })
  const apart = await visit({ ...other, address: '62.5.5.5', hours: 30 })
  expect(apart.decision?.outcome).toBe('separated')
  expect(apart.deviceId).not.toBe(first.deviceId)
  expect((await visit({ ...other, address: '62.5.5.5' })).deviceId).toBe(apart.deviceId)
  expect((await visit({ ...one, address: '84.1.1.1' })).deviceId).toBe(first.deviceId)
})

const browser = (browserVersion: string) => ({ client: { ...identified().client, browserVersion } })

test('a cookie with an older browser version than another cookie of the device had gets its own device', async () => {
  const { visit } = domain()
  const [one, other] = [cookie(), cookie()]
  const first = await visit({ ...one, ...browser('148.0.0.0') })
  expect((await visit({ ...other, ...browser('148.0.0.0') })).deviceId).toBe(first.deviceId)
  await visit({ ...one, ...browser('149.0.0.0') })
  const apart = await visit({ ...other, ...browser('148.0.0.0') })
  expect(apart.decision?.outcome).toBe('separated')
  expect((await visit({ ...one, ...browser('149.0.0.0') })).deviceId).toBe(first.deviceId)
  expect((await visit({ ...other, ...browser('149.0.0.0') })).deviceId).toBe(apart.deviceId)
})

test('so does a cookie whose browser was newer than that of a cookie seen after it', async () => {
  const { visit } = domain()
  const [one, other] = [cookie(), cookie()]
  const first = await visit({ ...one, ...browser('148.0.0.0') })
  expect((await visit({ ...other, ...browser('149.0.0.0') })).deviceId).toBe(first.deviceId)
  expect((await visit({ ...one, ...browser('148.0.0.0') })).deviceId).toBe(first.deviceId)
  expect((await visit({ ...other, ...browser('149.0.0.0') })).decision?.outcome).toBe('separated')
})

test('two profiles of one browser stay one device through its updates', async () => {
  const { visit } = domain()
  const profiles = [cookie(), cookie()]
  const seen = new Set<string>()
  for (const version of ['147.0.0.0', '148.0.0.0', '148.0.7778.92', '149.0.0.0'])
    for (const profile of profiles)
      seen.add((await visit({ ...profile, ...browser(version), hours: 20 })).deviceId)
  expect(seen.size).toBe(1)
})

test('too few components give nil identifiers', async () => {
  const { link } = domain()
  const few = readings({
    platform: value('Win32'),
    timezone: value({ name: 'Europe/Berlin', offset_minutes: 60 }),
    rounding: value('m1'),
  })
  for (const facts of [readings(), few]) {
    const identity = await link(identified({ readings: facts, proof: undefined }))
    expect(identity).toEqual({ deviceId: NIL_UUID, visitorId: NIL_UUID, components: [], decision: undefined })
  }
})

test('what a worker contradicts counts as absent', async () => {
  const { visit } = domain()
  const worker = (cores: number) =>
    value({
      user_agent: '',
      platform: '',
      languages: [],
      cores,
      memory_gb: null,
      timezone: '',
      webgl_renderer: null,
    })
  const identity = await visit({ ...cookie(), facts: { worker: worker(3) } })
  expect(identity.decision?.absent).toContain('machine')
})
