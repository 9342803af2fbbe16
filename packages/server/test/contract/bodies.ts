import { randomBytes, randomUUID } from 'node:crypto'
import type { ReadingName, ReadingValues } from '@inkling/contract'
import { onWire, ordinaryReadings, value } from '../identified.ts'

type Given = { [Name in ReadingName]?: ReadingValues[Name] }

/** The readings of an ordinary browser in wire format, some of them replaced. */
export function readingsOnWire(given: Given = {}): Record<string, unknown> {
  const replaced = Object.fromEntries(Object.entries(given).map(([name, reading]) => [name, value(reading)]))
  return onWire({ ...ordinaryReadings(), ...replaced })
}

/** The body of an ordinary browser. */
export const ordinaryBody = (given: object = {}, readings: Given = {}): string =>
  JSON.stringify({
    version: 1,
    session_id: randomUUID(),
    cookie_id: randomUUID(),
    user_hid: 'anonymous',
    readings: readingsOnWire(readings),
    ...given,
  })

/** The body of a device so slow that nothing but the user agent was there in time, which the agent reads first. */
export const timedOutBody = (userAgent: string): string =>
  ordinaryBody({
    readings: {
      ...Object.fromEntries(Object.keys(readingsOnWire()).map((name) => [name, { error: 'timeout' }])),
      user_agent: { value: userAgent },
    },
  })

/** A reading that scores: a program drives the browser. */
export const AUTOMATED: Given = { automation: { webdriver: true, markers: [] } }

/** In the form of the agent's hashes. */
const uniqueHash = (): string => randomBytes(8).toString('hex')

/** Readings of a unique machine, which no other test uses. */
export const uniqueDevice = () =>
  ({
    raster: { glyphs: uniqueHash(), shapes: uniqueHash(), stable: true },
    waveform: { synthesis: uniqueHash(), resampling: uniqueHash(), stable: true },
    typefaces: ['Arial', `Font ${randomUUID()}`],
    webgl: {
      vendor: 'WebKit',
      renderer: 'WebKit WebGL',
      unmasked_vendor: 'Google Inc. (Intel)',
      unmasked_renderer: `ANGLE (Intel, ${randomUUID()}, D3D11)`,
      version: 'WebGL 1.0',
      shading_language: 'WebGL GLSL ES 1.0',
      parameters: uniqueHash(),
      extensions: uniqueHash(),
    },
  }) satisfies Given
