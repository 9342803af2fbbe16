import type { SignalName } from '@inkling/contract'
import { SIGNAL_CATALOGUE } from '@inkling/contract'
import { expect, test } from 'vitest'
import { DEFAULT_RULES } from './rules.ts'

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

test.each(['tor', 'privacy_relay'] as const)(
  'next to %s only missing JavaScript and automation count',
  (by) => {
    const kept = Object.keys(SIGNAL_CATALOGUE).filter((name) => !silenced(by).includes(name as SignalName))
    expect(kept.sort()).toEqual(['browser_automation', 'javascript_disabled'])
  },
)

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
