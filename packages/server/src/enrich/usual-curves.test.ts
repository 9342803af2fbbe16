import { expect, test } from 'vitest'
import { clientFacts } from './client-facts.ts'
import { createUsualCurves } from './usual-curves.ts'

const CHROME =
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0.0.0 Safari/537.36'
const measured = (address: string, length: number, userAgent = CHROME) => ({
  client: clientFacts({ userAgent }),
  address,
  curves: [{ curve: 'AAAA', length }],
})

/** Of visitors in as many networks as lengths. */
function learned(...lengths: number[]) {
  const curves = createUsualCurves()
  for (const [network, length] of lengths.entries()) curves.learn(measured(`91.0.${network}.1`, length))
  return curves
}

test('a length that nobody else has is unlike those on which five other networks agree', () => {
  const curves = learned(7, 7, 7, 7, 7)
  expect(curves.isUnlike(measured('92.0.0.1', 7))).toBe(false)
  expect(curves.isUnlike(measured('92.0.0.1', 8))).toBe(true)
  expect(curves.isUnlike(measured('92.0.0.1', 8, CHROME.replace('156', '155')))).toBeUndefined()
  expect(curves.isUnlike({ ...measured('92.0.0.1', 8), curves: [] })).toBeUndefined()
})

test('one wrong length of two is enough', () => {
  const curves = learned(7, 7, 7, 7, 7)
  const right = { curve: 'AAAA', length: 7 }
  const visit = { ...measured('92.0.0.1', 7), curves: [right, { curve: 'BBBB', length: 1 }] }
  expect(curves.isUnlike(visit)).toBe(false)
  for (let network = 0; network < 5; network++)
    curves.learn({ ...measured(`91.0.${network}.1`, 0), curves: [{ curve: 'BBBB', length: 2 }] })
  expect(curves.isUnlike(visit)).toBe(true)
})

test('nothing is unlike while few are known, or while they differ among themselves', () => {
  expect(learned(7, 7, 7, 7).isUnlike(measured('92.0.0.1', 8))).toBeUndefined()
  expect(learned(1, 2, 3, 4, 5, 6).isUnlike(measured('92.0.0.1', 8))).toBeUndefined()
  // A network is not among those that it is compared with.
  expect(learned(7, 7, 7, 7, 7).isUnlike(measured('91.0.4.9', 8))).toBeUndefined()
})

test('a version may have several builds, each with lengths of its own', () => {
  const curves = learned(7, 7, 7, 7, 7, 8, 8, 8)
  expect([7, 8, 9].map((length) => curves.isUnlike(measured('92.0.0.1', length)))).toEqual([
    false,
    false,
    true,
  ])
  // The first of another build is like nobody, the second is not.
  curves.learn(measured('93.0.0.1', 9))
  expect(curves.isUnlike(measured('92.0.0.1', 9))).toBe(false)
})

test('a flood from one network is one say', () => {
  const curves = learned(7, 7, 7, 7, 7)
  for (let host = 1; host < 200; host++) curves.learn(measured(`92.0.0.${host}`, 8))
  expect(curves.isUnlike(measured('92.0.0.1', 8))).toBe(true)
})
