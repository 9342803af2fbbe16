import {
  OwnWeights,
  ownWeightMax,
  SIGNAL_CATALOGUE,
  type SignalName,
  TUNABLE_SIGNALS,
} from '@inkling/contract'
import { describe, expect, test } from 'vitest'
import { identified, ordinaryReadings, value } from '../../test/identified.ts'
import { turnEvidence } from '../../test/network.ts'
import type { Identified } from '../visit/identification.ts'
import type { Readings } from '../visit/received.ts'
import { DEFAULT_RULES, type Rules, withOwnWeights } from './rules.ts'
import { score } from './score.ts'

const silenced = (by: SignalName): SignalName[] => {
  const rule = DEFAULT_RULES.suppressions.find((suppression) => suppression.by === by)
  return (Object.keys(SIGNAL_CATALOGUE) as SignalName[]).filter((name) => rule?.silences(name))
}

test('the first of tor, privacy relay, VPN and browser proxy decides', () => {
  expect(DEFAULT_RULES.suppressions.map(({ by }) => by)).toEqual([
    'tor',
    'privacy_relay',
    'vpn',
    'browser_vpn_proxy',
  ])
})

test.each(['tor', 'privacy_relay'] as const)('next to %s only what the browser itself shows counts', (by) => {
  const kept = Object.keys(SIGNAL_CATALOGUE).filter((name) => !silenced(by).includes(name as SignalName))
  expect(kept.sort()).toEqual([
    'browser_automation',
    'client_mismatch',
    'honeytoken',
    'implausible_evidence',
    'incomplete_evidence',
    'javascript_disabled',
    'replayed',
  ])
})

test.each(['vpn', 'browser_vpn_proxy'] as const)(
  '%s stands in for what it causes, and for nothing else',
  (by) => {
    expect(silenced(by).sort()).toEqual([
      'abuser',
      'datacenter_ip',
      'os_mismatch',
      'os_not_detected',
      'proxy',
      'stun_late_correction',
      'stun_not_checked',
      'timezone_mismatch',
    ])
  },
)

const hosted = { ...identified().ip, hosting: true }
/** A Windows browser behind a Linux machine in a data center. */
const throughCloud = { ip: hosted, stack: { ...identified().stack, os: 'Linux' } } as const
const STICKY = {
  name: 'antidetect_browser',
  description: 'Antidetect browser (worker_mismatch)',
  requestId: '0b5a3f0c-8d8e-4f55-9d49-7a51f3c0f0ab',
}
/** The worker reports another browser and language. */
const pretending: Readings = {
  ...ordinaryReadings(),
  worker: value({
    user_agent: 'Mozilla/5.0 (X11; Linux x86_64) Chrome/140.0.0.0',
    platform: 'Linux x86_64',
    languages: ['ru-RU'],
    timezone: 'Europe/Berlin',
    cores: null,
    memory_gb: null,
    webgl_renderer: null,
  }),
}
const withoutInterfaces = { ...ordinaryReadings(), missing_apis: value(['Canvas', 'Worker']) }
const namesOf = (visit: Partial<Identified>, rules?: Rules) =>
  score(identified(visit), rules).verdict.entries.map(({ name }) => name)

describe('exclusions: a signal with another explanation has neither entry nor flag', () => {
  test('a browser behind a machine in a data center has a built-in proxy', () => {
    const { verdict } = score(identified(throughCloud))
    expect(verdict.entries[0]).toMatchObject({ name: 'browser_vpn_proxy', value: 30 })
    expect([verdict.score, verdict.flags.browser_vpn_proxy]).toEqual([30, true])
    expect(verdict.connectionType).toBe('browser_vpn_proxy')
  })

  test.each<[SignalName, Partial<Identified>]>([
    ['vpn', { ip: { ...hosted, vpn: true } }],
    ['antidetect_browser', { readings: pretending }],
    ['sticky_verdict', { sticky: STICKY }],
    ['javascript_disabled', { readings: withoutInterfaces }],
  ])('but not beside %s', (name, found) => {
    const { verdict } = score(identified({ ...throughCloud, ...found }))
    const names = verdict.entries.map((entry) => entry.name)
    expect(names).toContain(name)
    expect(names).not.toContain('browser_vpn_proxy')
    expect(verdict.flags.browser_vpn_proxy).toBe(false)
    expect([...verdict.clear, ...verdict.unknown]).not.toContain('browser_vpn_proxy')
  })

  test('then the signals that it suppresses count', () => {
    const { verdict } = score(identified({ ...throughCloud, sticky: STICKY }))
    expect(verdict.entries.map(({ name, value }) => [name, value])).toEqual([
      ['sticky_verdict', 45],
      ['os_mismatch', 60],
      ['datacenter_ip', 10],
    ])
  })

  test('an anti-detect browser counts once, also with an earlier verdict', () => {
    expect(namesOf({ readings: pretending, sticky: STICKY })).toEqual(['antidetect_browser'])
    expect(namesOf({ sticky: STICKY })).toEqual(['sticky_verdict'])
  })

  test('other rules may keep both', () => {
    const rules: Rules = { ...DEFAULT_RULES, exclusions: [] }
    expect(namesOf({ readings: pretending, sticky: STICKY }, rules)).toEqual([
      'antidetect_browser',
      'sticky_verdict',
    ])
  })
})

describe('corrections', () => {
  const late = { network: { ...identified().network, turn: turnEvidence('91.0.0.1', true) } }

  test('a network check that passes late removes the flag and the points; both entries stay', () => {
    const { verdict } = score(identified(late))
    expect(verdict.entries.map(({ name, value }) => [name, value])).toEqual([
      ['stun_not_checked', 30],
      ['stun_late_correction', -30],
    ])
    expect([verdict.score, verdict.flags.stun_not_checked]).toEqual([0, false])
  })

  test('without the rule the flag stays', () => {
    const { verdict } = score(identified(late), { ...DEFAULT_RULES, corrections: [] })
    expect(verdict.flags.stun_not_checked).toBe(true)
  })

  test('beside a VPN neither counts, so the correction removes no points of other signals', () => {
    const { verdict } = score(identified({ ...late, ip: { ...identified().ip, vpn: true } }))
    expect(verdict.score).toBe(15)
    expect(verdict.flags.stun_not_checked).toBe(false)
  })
})

const VPN = { ip: { ...identified().ip, vpn: true } }

test('own weights replace those of the release, and the verdict names their version', () => {
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

test('a correction removes exactly the points of its signal', () => {
  const weights = withOwnWeights({ version: 1, weights: { stun_not_checked: 12 } }).weights
  expect(weights.stun_not_checked + weights.stun_late_correction).toBe(0)
  expect(TUNABLE_SIGNALS).not.toContain('stun_late_correction')
})

test('a signal of an earlier release is ignored', () => {
  const weights = { bygone: 40 } as object
  expect(withOwnWeights({ version: 1, weights }).weights).toEqual(DEFAULT_RULES.weights)
})

test('no minor signal of the release can be made suspicious by itself', () => {
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
])('invalid weights are an error: %j', (weights) => {
  expect(OwnWeights.safeParse(weights).success).toBe(false)
})
