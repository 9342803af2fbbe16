import { randomUUID } from 'node:crypto'
import type { ReadingName, ReadingValues } from '@inkling/contract'
import { ordinaryReadings, value } from '../identified.ts'

type Given = { [Name in ReadingName]?: ReadingValues[Name] }

/** The readings of an ordinary browser as the wire has them, some of them replaced. */
export function readingsOnWire(given: Given = {}): Record<string, unknown> {
  const replaced = Object.fromEntries(Object.entries(given).map(([name, reading]) => [name, value(reading)]))
  return Object.fromEntries(
    Object.entries({ ...ordinaryReadings(), ...replaced }).flatMap(([name, fact]) =>
      fact.ok ? [[name, { value: fact.value }]] : [],
    ),
  )
}

/** What an ordinary browser sends. */
export const ordinaryBody = (given: object = {}, readings: Given = {}): string =>
  JSON.stringify({
    version: 1,
    session_id: randomUUID(),
    cookie_id: randomUUID(),
    user_hid: 'anonymous',
    readings: readingsOnWire(readings),
    ...given,
  })

/** A reading that scores: driven by a program. */
export const AUTOMATED: Given = { automation: { webdriver: true, markers: [] } }

/** Distinctive readings of a browser that no other test has. */
export const uniqueDevice = (): Given => ({
  canvas: { text: randomUUID(), geometry: randomUUID(), winding: true, stable: true },
})
