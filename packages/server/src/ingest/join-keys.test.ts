import { randomBytes, randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import type { EdgeRequest } from '../visit/edge-join.ts'
import {
  NO_CONNECTION_EVIDENCE,
  NO_FOLLOW_UP_EVIDENCE,
  observed,
  unavailable,
} from '../visit/network-evidence.ts'
import { createJoinKeys, type JoiningVisit, withEdgeEvidence } from './join-keys.ts'

const SECRET = randomBytes(32)
const AT_MS = Date.UTC(2026, 10, 20)
const HOLDER = { domainId: 7, address: '91.10.0.7', userAgent: 'Browser/1.0' }
const { headers, http2 } = NO_CONNECTION_EVIDENCE
const tls = observed('edge', { ja4: 't13d1516h2_8daaf6152771_d8a2da3f94cd', version: '', alpn: '' })
const edge = (): EdgeRequest => ({
  ...{ assessmentId: randomUUID(), atMs: AT_MS, score: 0, action: null, rule: null, tls, http2, headers },
})
const visit = (given: Partial<JoiningVisit> = {}): JoiningVisit => ({
  ...HOLDER,
  requestId: randomUUID(),
  cookieId: randomUUID(),
  ...given,
})

test('any node of an installation opens a key, and no other installation does', () => {
  const key = createJoinKeys(SECRET, () => AT_MS).seal(edge(), HOLDER)
  expect(createJoinKeys(SECRET, () => AT_MS).open(key, visit())).toMatchObject({
    state: 'joined',
    sameAddress: true,
  })
  const other = createJoinKeys(randomBytes(32), () => AT_MS)
  expect(other.open(key, visit())).toEqual({ state: 'refused', why: 'unreadable' })
})

test('no bit of a key can be changed', () => {
  const keys = createJoinKeys(SECRET, () => AT_MS)
  const key = Buffer.from(keys.seal(edge(), HOLDER), 'base64url')
  for (let at = 0; at < key.length; at += 1) {
    const changed = Buffer.from(key)
    changed[at] = (changed[at] ?? 0) ^ 1
    expect(keys.open(changed.toString('base64url'), visit())).toEqual({ state: 'refused', why: 'unreadable' })
  }
})

test('a key is for ten minutes, by clocks that differ by a minute, and a page without one joins nothing', () => {
  let nowMs = AT_MS
  const keys = createJoinKeys(SECRET, () => nowMs)
  const states = [-2, -1, 10, 11].map((minutes) => {
    nowMs = AT_MS + minutes * 60_000
    return keys.open(keys.seal(edge(), HOLDER), visit())?.state
  })
  expect(states).toEqual(['refused', 'joined', 'joined', 'refused'])
  for (const none of [undefined, '', 5, {}]) expect(keys.open(none, visit())).toBeUndefined()
})

test('the edge’s TLS counts only where a proxy hides the visitor’s, and only from the same address', () => {
  const joined = { state: 'joined' as const, sameAddress: true, ...edge() }
  const network = { ...NO_CONNECTION_EVIDENCE, ...NO_FOLLOW_UP_EVIDENCE, tls: unavailable('behind_proxy') }
  expect(withEdgeEvidence(network, joined).tls).toBe(tls)
  expect(withEdgeEvidence(network, { ...joined, sameAddress: false }).tls).toBe(network.tls)
  expect(withEdgeEvidence(network, { state: 'refused', why: 'expired' }).tls).toBe(network.tls)
  for (const own of [unavailable('plain_http'), observed('tls', { ja4: 'own', version: '', alpn: '' })])
    expect(withEdgeEvidence({ ...network, tls: own }, joined).tls).toBe(own)
})
