import { type AgentCategory, signalNameOf } from '@inkling/contract'
import { describe, expect, test } from 'vitest'
import { identified, ordinaryReadings, readings, value } from '../../test/identified.ts'
import { turnEvidence } from '../../test/network.ts'
import type { Readings } from '../visit/received.ts'
import { DEFAULT_RULES, type Rules } from './rules.ts'
import { score } from './score.ts'

const automated = value({ webdriver: true, markers: [] })
const inTokyo = value({ name: 'Asia/Tokyo', offset_minutes: 540 })
const hosted = { ...identified().ip, hosting: true }
const STICKY = {
  name: 'antidetect_browser',
  description: 'Antidetect browser (worker_mismatch)',
  requestId: '0b5a3f0c-8d8e-4f55-9d49-7a51f3c0f0ab',
}

describe('score', () => {
  test('an ordinary visit scores 0 without an entry or a flag', () => {
    const { verdict } = score(identified())
    expect(verdict).toMatchObject({ score: 0, entries: [], connectionType: 'direct' })
    expect(Object.values(verdict.flags)).not.toContain(true)
  })

  test('signals add up by their weights and raise their flags', () => {
    const { verdict } = score(
      identified({ ip: hosted, readings: { ...ordinaryReadings(), timezone: inTokyo } }),
    )
    expect(verdict.score).toBe(20)
    expect(verdict.entries.map(({ name, value }) => [name, value])).toEqual([
      ['datacenter_ip', 10],
      ['timezone_mismatch', 10],
    ])
    expect(verdict.flags).toMatchObject({ datacenter_ip: true, timezone_mismatch: true, vpn: false })
    expect(verdict.connectionType).toBe('proxy')
  })

  test('the sum is never above 100 and never below 0', () => {
    const everything = identified({ ip: hosted, readings: { ...ordinaryReadings(), automation: automated } })
    const weights = (weight: number): Rules => ({
      ...DEFAULT_RULES,
      weights: { ...DEFAULT_RULES.weights, browser_automation: weight },
    })
    expect(score(everything, weights(5_000)).verdict.score).toBe(100)
    expect(score(everything, weights(-5_000)).verdict.score).toBe(0)
  })

  test('a suppressed entry adds nothing and names the signal that suppressed it; its flag stays', () => {
    const rules: Rules = {
      ...DEFAULT_RULES,
      suppressions: [{ by: 'datacenter_ip', silences: (name) => name === 'timezone_mismatch' }],
    }
    const visit = identified({ ip: hosted, readings: { ...ordinaryReadings(), timezone: inTokyo } })
    const { verdict } = score(visit, rules)
    expect(verdict.score).toBe(10)
    expect(verdict.entries[1]).toMatchObject({
      name: 'timezone_mismatch',
      value: 0,
      suppressedBy: 'datacenter_ip',
    })
    expect(verdict.flags.timezone_mismatch).toBe(true)
  })

  test('signals with missing facts are unknown: they add nothing and are listed', () => {
    const nothing = { ...identified().ip, hosting: undefined, timeZones: [], asn: undefined, country: '' }
    const timedOut = Object.keys(readings()).map((name) => [name, { ok: false, why: 'timeout' }])
    // The agent reads the user agent before any time has passed.
    const { user_agent } = ordinaryReadings()
    const slow = { ...(Object.fromEntries(timedOut) as Readings), user_agent }
    const { verdict } = score(identified({ ip: nothing, readings: slow }))
    expect(verdict.score).toBe(0)
    expect(verdict.unknown).toEqual(
      expect.arrayContaining(['datacenter_ip', 'timezone_mismatch', 'browser_automation', 'incognito']),
    )
    expect(verdict.flags.check_incomplete).toBe(true)
    expect(verdict.connectionType).toBe('unknown')
  })

  test('a visitor without JavaScript has no other signal', () => {
    const { verdict } = score(identified({ via: 'noscript', ip: hosted, readings: readings() }))
    expect(verdict.entries.map(({ name, value }) => [name, value])).toEqual([['javascript_disabled', 90]])
    expect(verdict.score).toBe(90)
  })

  test('a dangerous visit from a paid click is a suspicious paid click', () => {
    const traffic = { ...identified().traffic, channel: 'Google Ads', channelGroup: 'Paid Search' }
    const paid = identified({ traffic, readings: { ...ordinaryReadings(), automation: automated } })
    expect(score(paid).verdict.flags.suspicious_paid_click).toBe(true)
    expect(score(identified({ traffic })).verdict.flags.suspicious_paid_click).toBe(false)
  })

  test('clients derive the name of every signal from its description', () => {
    const bad = identified({
      ip: hosted,
      client: { ...identified().client, os: 'Unknown' },
      readings: { ...ordinaryReadings(), automation: automated, timezone: inTokyo },
    })
    for (const { name, description } of score(bad).verdict.entries)
      expect(signalNameOf(description)).toBe(name)
  })
})

test('clients recognise a sticky verdict and the verdict that it repeats', () => {
  const [entry] = score(identified({ sticky: STICKY })).verdict.entries
  expect(entry?.description).toBe(`Sticky verdict: ${STICKY.description} (request ${STICKY.requestId})`)
  expect(signalNameOf(entry?.description ?? '')).toBe('antidetect_browser')
})

const REPLACED = ['Navigator.languages:proxy']

describe('a verified agent', () => {
  const agent = (category: AgentCategory) =>
    identified({
      ip: hosted,
      agent: { standing: 'verified', id: 'a', name: 'A', category, claims: [] },
      readings: { ...ordinaryReadings(), platform: value('Linux x86_64'), tampering: value(REPLACED) },
    })

  test('what it causes by itself adds nothing and keeps its flag, as every suppressed signal', () => {
    const { verdict } = score(agent('agent_browser'))
    expect(verdict.entries).toContainEqual(
      expect.objectContaining({ name: 'datacenter_ip', value: 0, suppressedBy: 'declared_agent' }),
    )
    expect(verdict.flags.datacenter_ip).toBe(true)
  })

  test('the network check that its cloud lets nobody make adds nothing, and its correction takes nothing away', () => {
    const { network } = identified()
    const checkOf = (turn: typeof network.turn) =>
      score({ ...agent('agent_browser'), network: { ...network, turn } })
        .verdict.entries.filter(({ name }) => name.startsWith('stun'))
        .map(({ name, value }) => [name, value])
    expect(checkOf({ available: false, reason: 'no_packet' })).toEqual([['stun_not_checked', 0]])
    expect(checkOf(turnEvidence('91.0.0.1', true))).toEqual([
      ['stun_not_checked', 0],
      ['stun_late_correction', 0],
    ])
  })

  test('has the entries that count first, as everybody', () => {
    const values = score(agent('agent_browser')).verdict.entries.map(({ value }) => value)
    const counted = values.filter((value) => value > 0)
    expect(counted.length).toBeGreaterThan(0)
    expect(values).toEqual([...counted, ...values.filter((value) => value === 0)])
  })

  test('a browser that pretends to be another counts', () => {
    const { entries, flags } = score(agent('agent_browser')).verdict
    const entry = entries.find(({ name }) => name === 'antidetect_browser')
    expect(entry).toMatchObject({ value: DEFAULT_RULES.weights.antidetect_browser })
    expect(flags.anti_detect_browser).toBe(true)
  })

  test('of a service that rents browsers says nothing about who drives one', () => {
    const entries = score(agent('browser_service')).verdict.entries
    expect(entries.filter(({ suppressedBy }) => suppressedBy === 'declared_agent')).toEqual([])
  })
})
