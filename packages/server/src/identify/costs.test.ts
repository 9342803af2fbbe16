import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { identified } from '../../test/identified.ts'
import { machine } from '../../test/machine.ts'
import { uuidToText } from '../lib/uuid.ts'
import { componentsOf } from './components.ts'
import { linkedFrom, mergedFrom } from './costs.ts'
import { createLinker, type Linked, TAKEN } from './linker.ts'
import { memoryDevices } from './relink.ts'
import { DEFAULT_LINK_WEIGHTS } from './weights.ts'

const COSTS = [1, 2, 4, 20, 100]
const VISITS = 400
const DEVICES = 60
const LOOKS = 20

const draw = (...parts: unknown[]): Buffer => createHash('sha256').update(parts.join(' ')).digest()
const share = (...parts: unknown[]): number => draw(...parts).readUInt32BE() / 2 ** 32
const cookieOf = (...parts: unknown[]): string => uuidToText(draw(...parts).subarray(0, 16))

/** Visits of machines of which three look the same, at home or not, half of them with a new cookie. */
const visits = Array.from({ length: VISITS }, (_, index) => {
  const device = Math.floor(share('device', index) * DEVICES)
  const cookie = share('kept', index) < 0.5 ? 'first' : index
  const network = share('place', index) < 0.7 ? device : 100 + (index % 50)
  return {
    device,
    visit: identified({
      proof: undefined,
      cookieId: cookieOf('cookie', device, cookie),
      address: `203.0.${network}.9`,
      atMs: Date.UTC(2026, 5, 1) + index * 5 * 3_600_000,
      readings: machine(device % LOOKS),
    }),
  }
})

/** Of the visits, those with a device that is another machine's, and those with one that their machine never had. */
async function errorsAt(falseMergeCost: number | undefined) {
  const devices = memoryDevices()
  const linker = createLinker(devices)
  const owners = new Map<string, number>()
  const had = new Set<string>()
  const errors = { merges: 0, splits: 0, devices: [] as string[] }
  for (const { device, visit } of visits) {
    const given = { ...visit, domain: { ...visit.domain, falseMergeCost } }
    const id = await linker.link(given, ({ identity, write }: Linked) =>
      Promise.resolve(write && !devices.apply(write) ? TAKEN : identity.deviceId),
    )
    const owner = owners.get(id) ?? device
    owners.set(id, owner)
    if (owner !== device) errors.merges += 1
    if (!had.has(`${device} ${id}`)) errors.splits += 1
    had.add(`${device} ${id}`)
    errors.devices.push(id)
  }
  return errors
}

test('the dearer a false merge is, the fewer there are on the same visits, and the more false splits', async () => {
  const errors = await Promise.all(COSTS.map(errorsAt))
  const merges = errors.map((at) => at.merges)
  const splits = errors.map((at) => at.splits)
  expect(merges).toEqual(merges.toSorted((a, b) => b - a))
  expect(splits).toEqual(splits.toSorted((a, b) => a - b))
  expect(merges[0]).toBeGreaterThan(merges.at(-1) ?? 0)
  expect(splits[0]).toBeLessThan(splits.at(-1) ?? 0)
})

test('a domain that states no cost, and one that states the cost of the release, link alike', async () => {
  expect((await errorsAt(undefined)).devices).toEqual((await errorsAt(4)).devices)
})

test('the probabilities that a link and a merge need follow from the cost alone', () => {
  const desktop = componentsOf(identified({ readings: machine(1) }))
  const phone = { ...desktop, family: 'Android Chrome' }
  const bars = (falseMergeCost?: number) => [
    linkedFrom(phone, { falseMergeCost }, DEFAULT_LINK_WEIGHTS),
    linkedFrom(desktop, { falseMergeCost }, DEFAULT_LINK_WEIGHTS),
    mergedFrom({ falseMergeCost }, DEFAULT_LINK_WEIGHTS),
  ]
  expect(bars()).toEqual([4 / 5, 4.2 / 5.2, 0.97])
  expect(bars(4)).toEqual(bars())
  expect(bars(10)[0]).toBeCloseTo(10 / 11)
  for (const kind of [0, 1, 2]) {
    const rising = COSTS.map((cost) => bars(cost)[kind] ?? 0)
    expect(rising).toEqual([...new Set(rising)].sort((a, b) => a - b))
    // Through a provider that the device never used the probability stays below a half, so no cost links it.
    expect(rising[0]).toBeGreaterThanOrEqual(0.5)
  }
})
