import { expect, test } from 'vitest'
import { identified, proof } from '../../test/identified.ts'
import type { MeasuredCurve } from '../visit/proof.ts'
import { createUsualHere } from './usual-here.ts'

const ANSWER: readonly MeasuredCurve[] = [
  { curve: 'AAAA', length: 7 },
  { curve: 'BBBB', length: 8 },
]
const visit = (network: number, curves: readonly MeasuredCurve[] | undefined) => ({
  ...identified({ proof: proof() }),
  address: `91.0.${network}.1`,
  curves,
})

test('curves that are missing or like nobody’s are facts of the visit, where others measure them alike', () => {
  const usual = createUsualHere(() => 0)
  const found = (curves: readonly MeasuredCurve[] | undefined) =>
    usual.describe(visit(99, curves)).proof?.curves
  const other = [{ curve: 'AAAA', length: 1 }]
  expect([[], other].map(found)).toEqual([undefined, undefined])
  for (let network = 0; network < 20; network++) usual.learnConnection(visit(network, ANSWER), true)
  expect([ANSWER, other, []].map(found)).toEqual([undefined, 'unlike', 'missing'])
  // Without a valid ticket nothing was asked.
  expect(found(undefined)).toBeUndefined()
})

test('who comes by another TLS than its engine’s teaches nobody how long curves are', () => {
  const usual = createUsualHere(() => 0)
  for (let network = 0; network < 20; network++) usual.learnConnection(visit(network, ANSWER), false)
  expect(usual.describe(visit(99, [{ curve: 'AAAA', length: 1 }])).proof?.curves).toBeUndefined()
})

test('where every tenth network measures none, a missing answer is no fact', () => {
  const usual = createUsualHere(() => 0)
  for (let network = 0; network < 30; network++)
    usual.learnConnection(visit(network, network < 4 ? [] : ANSWER), true)
  expect(usual.describe(visit(99, [])).proof?.curves).toBeUndefined()
})
