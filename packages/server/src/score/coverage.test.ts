import { LITTLE_EVIDENCE } from '@inkling/contract'
import { expect, test } from 'vitest'
import { connected } from '../../test/connections.ts'
import { identified, proof } from '../../test/identified.ts'
import { turnEvidence } from '../../test/network.ts'
import { coverage } from './coverage.ts'
import { score } from './score.ts'

const knownOf = (visit: Parameters<typeof coverage>[0], name: string): number | undefined =>
  coverage(visit).sources.find((source) => source.name === name)?.known

test('the weights are shares of one whole', () => {
  const { sources } = coverage(identified())
  expect(sources.reduce((sum, { weight }) => sum + weight, 0)).toBe(100)
})

test('a captured body alone is little evidence, a proven visit is not', () => {
  const captured = identified({
    proof: proof({ ticket: { state: 'missing' }, body: 'unbound', key: { state: 'none' }, expected: false }),
  })
  expect(coverage(captured).evidence).toBeLessThan(LITTLE_EVIDENCE)
  expect(coverage(identified()).evidence).toBeGreaterThan(LITTLE_EVIDENCE)
  expect(coverage(connected()).evidence).toBeGreaterThan(coverage(identified()).evidence)
})

test('what the server saw itself counts, and what contradicts the claim does not', () => {
  const checked = identified({ network: { ...identified().network, turn: turnEvidence('91.0.0.1') } })
  expect(knownOf(checked, 'network_check')).toBe(1)
  expect(knownOf(identified(), 'network_check')).toBe(0)
  expect(knownOf(connected(), 'tls')).toBe(1)
  const firefox = { ...connected().client, engine: 'Gecko' }
  expect(knownOf({ ...connected(), client: firefox }, 'tls')).toBe(0)
})

test('evidence changes no score', () => {
  const { verdict } = score(identified({ proof: undefined }))
  expect([verdict.score, score(identified()).verdict.score]).toEqual([0, 0])
  expect(verdict.coverage?.evidence).toBeLessThan(score(identified()).verdict.coverage?.evidence ?? 0)
})

test('nothing is judged of a visit without JavaScript', () => {
  expect(score(identified({ via: 'noscript' })).verdict.coverage).toBeUndefined()
})
