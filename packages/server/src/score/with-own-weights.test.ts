import { OwnWeights, ownWeightMax, SIGNAL_CATALOGUE, TUNABLE_SIGNALS } from '@inkling/contract'
import { expect, test } from 'vitest'
import { identified } from '../../test/identified.ts'
import { DEFAULT_RULES } from './rules.ts'
import { score } from './score.ts'
import { withOwnWeights } from './with-own-weights.ts'

const VPN = { ip: { ...identified().ip, vpn: true } }

test('a weight of its own counts, what is left out weighs as in the release, and the verdict says whose it is', () => {
  const { verdict } = score(identified(VPN), withOwnWeights({ version: 3, weights: { vpn: 7 } }))
  expect(verdict).toMatchObject({ score: 7, rules: 3, entries: [{ name: 'vpn', weight: 7, value: 7 }] })
  const weights = withOwnWeights({ version: 3, weights: { vpn: 7 } }).weights
  expect({ ...weights, vpn: 15 }).toEqual(DEFAULT_RULES.weights)
  expect(score(identified(VPN)).verdict.rules).toBeUndefined()
})

test('a weight of 0 turns a signal off: it adds nothing and stays as information', () => {
  const { verdict } = score(identified(VPN), withOwnWeights({ version: 1, weights: { vpn: 0 } }))
  expect(verdict).toMatchObject({ score: 0, entries: [{ name: 'vpn', value: 0 }], flags: { vpn: true } })
})

test('a correction takes back just what its signal adds', () => {
  const weights = withOwnWeights({ version: 1, weights: { stun_not_checked: 12 } }).weights
  expect(weights.stun_not_checked + weights.stun_late_correction).toBe(0)
  expect(TUNABLE_SIGNALS).not.toContain('stun_late_correction')
})

test('a signal that an earlier release knew is left out', () => {
  const weights = { bygone: 40 } as object
  expect(withOwnWeights({ version: 1, weights }).weights).toEqual(DEFAULT_RULES.weights)
})

test('no signal that is minor in the release can be made to accuse by itself', () => {
  for (const name of TUNABLE_SIGNALS) {
    const isMinor = SIGNAL_CATALOGUE[name].weight < 30
    expect(ownWeightMax(name), name).toBe(isMinor ? 29 : 100)
    const most = { [name]: ownWeightMax(name) }
    expect(OwnWeights.safeParse(most).success, name).toBe(true)
    expect(OwnWeights.safeParse({ [name]: ownWeightMax(name) + 1 }).success, name).toBe(false)
  }
})

test.each([
  { vpn: -1 },
  { vpn: 1.5 },
  { vpn: '5' },
  { vpn: null },
  { no_such_signal: 1 },
  { stun_late_correction: -1 },
  [],
  null,
])('weights that are wrong are refused: %j', (weights) => {
  expect(OwnWeights.safeParse(weights).success).toBe(false)
})
