import { describe, expect, test } from 'vitest'
import { engineContradiction, FEATURE_VERSIONS } from './engine-versions.ts'

const CHROME = 0
const FIREFOX = 1
const SAFARI = 2

const featuresOf = (engine: 0 | 1 | 2, version: number): string =>
  Object.entries(FEATURE_VERSIONS)
    .filter(([, versions]) => versions[engine] > 0 && versions[engine] <= version)
    .map(([name]) => name)
    .join(' ')
const chrome = (version: number) =>
  `Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/${version}.0.0.0 Safari/537.36`
const firefox = (version: number) =>
  `Mozilla/5.0 (X11; Linux x86_64; rv:${version}.0) Gecko/20100101 Firefox/${version}.0`
const safari = (version: string) =>
  `Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/${version} Safari/605.1.15`

describe('an engine of the claimed version', () => {
  test.each([90, 100, 120, 140, 147, 153, 156, 170])('Chromium %i', (version) => {
    expect(engineContradiction(chrome(version), featuresOf(CHROME, version))).toBeUndefined()
  })

  test.each([91, 102, 115, 128, 140, 153])('Firefox %i', (version) => {
    expect(engineContradiction(firefox(version), featuresOf(FIREFOX, version))).toBeUndefined()
  })

  test.each(['15.6', '16.6', '17.4', '18.2', '26.2'])('Safari %s', (version) => {
    expect(engineContradiction(safari(version), featuresOf(SAFARI, Number(version)))).toBeUndefined()
  })

  test('one missing or additional feature is no contradiction', () => {
    const features = featuresOf(CHROME, 140)
    expect(engineContradiction(chrome(140), `${features} Iterator.zip`)).toBeUndefined()
    expect(engineContradiction(chrome(140), features.replace('Object.hasOwn', ''))).toBeUndefined()
  })
})

test.each([109, 125, 138, 144])('Chromium %i on a page that adds what newer engines have', (version) => {
  const added =
    'Promise.try Iterator.concat Math.sumPrecise Uint8Array.fromBase64 Temporal RegExp.escape navigation'
  const features = `${featuresOf(CHROME, version)} ${added}`
  expect(engineContradiction(chrome(version), features)).toBeUndefined()
})

test('an engine newer than it claims to be', () => {
  expect(engineContradiction(chrome(147), featuresOf(CHROME, 156))).toEqual({
    claimed: 147,
    newer: ['Element.prototype.pseudo', 'HTMLElement.prototype.autocorrect'],
    missing: [],
  })
})

test('an engine older than it claims to be', () => {
  expect(engineContradiction(firefox(153), featuresOf(FIREFOX, 128))).toMatchObject({
    newer: [],
    missing: expect.arrayContaining(['Promise.try', 'Temporal']),
  })
})

test.each([
  ['a browser whose engine is not in the table', 'Mozilla/5.0 (PlayStation 5) AppleWebKit/605.1.15'],
  [
    'Chrome on an iPad that asks for desktop pages',
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) CriOS/156 Version/11.1.1 Safari/605.1.15',
  ],
  ['nothing', ''],
])('%s has no indicator', (_, userAgent) => {
  expect(engineContradiction(userAgent, featuresOf(CHROME, 156))).toBeUndefined()
})
