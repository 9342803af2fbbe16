import { NO_FLAGS } from '@inkling/contract'
import { describe, expect, test } from 'vitest'
import { decide } from './decide.ts'
import { memoryReplayStore } from './replay-store.ts'
import type { ScoredVerdict } from './verdict.ts'

const NOW = Date.UTC(2026, 5, 1, 12)
const MINUTE = 60_000
const now = () => NOW

const scored = (given: Partial<ScoredVerdict> = {}): ScoredVerdict => ({
  status: 'scored',
  requestId: '0191e7a0-1111-4222-8333-444455556666',
  score: 0,
  band: 'trusted',
  flags: { ...NO_FLAGS },
  signals: [],
  observedAtMs: NOW - 1_000,
  deviceId: 'd4e1c2b3-1111-5222-8333-444455556666',
  visitorId: undefined,
  userHid: undefined,
  ...given,
})
const { requestId } = scored()

test('a fresh, trusted identification is allowed without a reason', async () => {
  expect(await decide(scored(), { now })).toEqual({ action: 'allow', reasons: [] })
})

test.each([
  ['suspicious', 'challenge', scored({ score: 30, band: 'suspicious' })],
  ['dangerous', 'deny', scored({ score: 60, band: 'dangerous' })],
  ['rate_limited', 'challenge', { status: 'rate_limited', requestId, observedAtMs: NOW }],
  ['not_scored_yet', 'challenge', { status: 'not_scored_yet', requestId }],
  ['unverified', 'challenge', { status: 'unverified', requestId }],
] as const)('%s is %s by default, and the policy can change it', async (code, action, verdict) => {
  expect(await decide(verdict, { now })).toEqual({ action, reasons: [{ code, action }] })
  for (const other of ['allow', 'challenge', 'deny'] as const)
    expect(await decide(verdict, { now, actions: { [code]: other } })).toEqual({
      action: other,
      reasons: [{ code, action: other }],
    })
})

test('a raised flag counts if the policy names it', async () => {
  const flags = { ...NO_FLAGS, tor: true }
  expect((await decide(scored({ flags }), { now })).action).toBe('allow')
  const policy = { now, flags: { tor: 'challenge', vpn: 'deny' } } as const
  expect(await decide(scored({ flags }), policy)).toEqual({
    action: 'challenge',
    reasons: [{ code: 'flag', flag: 'tor', action: 'challenge' }],
  })
})

test('the strictest of several reasons decides, and all are returned', async () => {
  const verdict = scored({ score: 40, band: 'suspicious', flags: { ...NO_FLAGS, vpn: true } })
  expect(await decide(verdict, { now, flags: { vpn: 'deny' } })).toEqual({
    action: 'deny',
    reasons: [
      { code: 'suspicious', action: 'challenge' },
      { code: 'flag', flag: 'vpn', action: 'deny' },
    ],
  })
})

describe('freshness', () => {
  const stale = { action: 'challenge', reasons: [{ code: 'stale', action: 'challenge' }] }

  test('ends after five minutes, to the millisecond', async () => {
    const aged = (ms: number) => decide(scored({ observedAtMs: NOW - ms }), { now })
    expect((await aged(5 * MINUTE)).action).toBe('allow')
    expect(await aged(5 * MINUTE + 1)).toEqual(stale)
  })

  test('ends where the policy says', async () => {
    const verdict = scored({ observedAtMs: NOW - 2 * MINUTE })
    expect(await decide(verdict, { now, freshnessMs: MINUTE })).toEqual(stale)
    expect((await decide(verdict, { now, freshnessMs: 3 * MINUTE })).action).toBe('allow')
  })

  test('is stale without a time', async () => {
    expect(await decide(scored({ observedAtMs: undefined }), { now })).toEqual(stale)
  })

  test('allows for a server whose clock is ahead', async () => {
    expect((await decide(scored({ observedAtMs: NOW + MINUTE }), { now })).action).toBe('allow')
  })

  test.each([0, -1, Number.NaN, Number.POSITIVE_INFINITY])('of %d ms is an error', async (freshnessMs) => {
    await expect(decide(scored(), { now, freshnessMs })).rejects.toMatchObject({ code: 'invalid_argument' })
  })
})

describe('single use', () => {
  const reused = { action: 'deny', reasons: [{ code: 'reused', action: 'deny' }] }

  test('the same request ID is denied the second time, in upper or lower case', async () => {
    const policy = { now, replayStore: memoryReplayStore({ now }) }
    expect((await decide(scored(), policy)).action).toBe('allow')
    expect(await decide(scored({ requestId: requestId.toUpperCase() }), policy)).toEqual(reused)
    expect((await decide(scored({ requestId: crypto.randomUUID() }), policy)).action).toBe('allow')
  })

  test('of many concurrent decisions exactly one is allowed', async () => {
    const policy = { now, replayStore: memoryReplayStore({ now }) }
    const decisions = await Promise.all(Array.from({ length: 20 }, () => decide(scored(), policy)))
    expect(decisions.filter(({ action }) => action === 'allow')).toHaveLength(1)
  })

  test('is remembered while the identification is fresh, whichever clock is ahead', async () => {
    let time = NOW
    const clock = { now: () => time }
    const policy = { ...clock, replayStore: memoryReplayStore(clock) }
    const ahead = scored({ observedAtMs: NOW + 10 * MINUTE })
    expect((await decide(ahead, policy)).action).toBe('allow')
    for (; time <= NOW + 15 * MINUTE; time += MINUTE) expect(await decide(ahead, policy)).toEqual(reused)
  })

  test('is not used up by a denied or missing identification', async () => {
    const replayStore = memoryReplayStore({ now })
    await decide(scored({ score: 90, band: 'dangerous' }), { now, replayStore })
    await decide({ status: 'not_scored_yet', requestId }, { now, replayStore })
    expect((await decide(scored(), { now, replayStore })).action).toBe('allow')
  })

  test('is used up by a challenge, which cannot be passed twice', async () => {
    const policy = { now, replayStore: memoryReplayStore({ now }) }
    expect((await decide(scored({ score: 30, band: 'suspicious' }), policy)).action).toBe('challenge')
    expect(await decide(scored(), policy)).toEqual(reused)
  })

  test('does not treat rate-limited visits with the nil request ID as the same visit', async () => {
    const policy = { now, replayStore: memoryReplayStore({ now }) }
    const nil = '00000000-0000-0000-0000-000000000000'
    const limited = { status: 'rate_limited', requestId: nil, observedAtMs: NOW } as const
    for (let count = 0; count < 2; count++) expect((await decide(limited, policy)).action).toBe('challenge')
  })

  test('is an error if the store fails, never a decision', async () => {
    const away = () => Promise.reject(new Error('the store is away'))
    const policy = { now, replayStore: { claim: away, release: away } }
    await expect(decide(scored(), policy)).rejects.toThrow('the store is away')
  })
})

describe('accounts of a device', () => {
  const tooMany = { action: 'challenge', reasons: [{ code: 'too_many_accounts', action: 'challenge' }] }
  const decideFor = (accounts: string[], asking?: string, given: Partial<ScoredVerdict> = {}) =>
    decide(scored(given), { now, accounts: { max: 2, of: () => accounts, ...(asking && { asking }) } })

  test('are counted once each, with the account of the visit', async () => {
    expect((await decideFor(['a'], 'b')).action).toBe('allow')
    expect((await decideFor(['a', 'b', 'a'], 'b')).action).toBe('allow')
    expect(await decideFor(['a', 'b'], 'c')).toEqual(tooMany)
    expect(await decideFor(['a', 'b', 'c'])).toEqual(tooMany)
  })

  test('exclude placeholder names', async () => {
    const nobody = ['anonymous', 'fail', '-1', 'unknown', 'null', '']
    expect((await decideFor(['a', ...nobody], 'b')).action).toBe('allow')
    expect((await decideFor(['a', 'b', ...nobody], 'anonymous')).action).toBe('allow')
  })

  test('are not counted for the nil device, which many share', async () => {
    expect((await decideFor(['a', 'b', 'c'], 'd', { deviceId: undefined })).action).toBe('allow')
  })

  test('may be a promise or an async iterable, and are read only as far as needed', async () => {
    const of = (accounts: AsyncIterable<string> | Promise<string[]>) =>
      decide(scored(), { now, accounts: { max: 1, of: () => accounts } })
    expect(await of(Promise.resolve(['a', 'b']))).toEqual(tooMany)
    const asked: string[] = []
    async function* oneByOne() {
      for (const account of ['a', 'b', 'c']) {
        asked.push(account)
        yield account
      }
    }
    expect(await of(oneByOne())).toEqual(tooMany)
    expect(asked).toEqual(['a', 'b'])
  })

  test('are not read if the visit is denied anyway', async () => {
    const of = () => {
      throw new Error('asked')
    }
    const verdict = scored({ score: 99, band: 'dangerous' })
    expect((await decide(verdict, { now, accounts: { max: 2, of } })).action).toBe('deny')
  })
})
