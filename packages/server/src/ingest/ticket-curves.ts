import { createHmac, randomInt } from 'node:crypto'
import { derivedKey } from '../auth/derived-key.ts'
import type { MeasuredCurve } from '../visit/proof.ts'

/** So many curves are asked for at a time, each for as many days; every day one of them is replaced. */
const CURVES = 16
/** A curve is three bytes of the ticket: four characters, from which the agent makes its points. */
const CURVE_BYTES = 3
const CURVE_LENGTH = 4
const OF_EACH_TICKET = 2
/** Where they stand in a ticket's bytes, and in its text. */
export const CURVES_AT = 27
const TEXT_AT = 36

export interface TicketCurves {
  /** Two different curves of those of a day. */
  pick(day: number): Buffer
}

/**
 * Chooses the curves that a ticket asks for. Few at a time, so that the answers of visitors can be compared; nobody can
 * measure one before a ticket of this installation showed it.
 */
export function createTicketCurves(secret: Uint8Array): TicketCurves {
  const key = derivedKey(secret, 'ticket curves')
  let made: { day: number; curves: Buffer[] } = { day: -1, curves: [] }

  const curvesOf = (day: number): Buffer[] =>
    Array.from({ length: CURVES }, (_, place) => {
      const generation = Math.floor((day + place) / CURVES)
      return createHmac('sha256', key).update(`${place} ${generation}`).digest().subarray(0, CURVE_BYTES)
    })

  return {
    pick(day) {
      if (made.day !== day) made = { day, curves: curvesOf(day) }
      const first = randomInt(CURVES)
      const second = (first + 1 + randomInt(CURVES - 1)) % CURVES
      return Buffer.concat([made.curves[first] ?? Buffer.of(), made.curves[second] ?? Buffer.of()])
    },
  }
}

/** The lengths that came with a ticket, each with its curve; empty where the browser sent none. */
export function measuredCurves(ticket: string, lengths: unknown): readonly MeasuredCurve[] {
  if (!Array.isArray(lengths) || lengths.length !== OF_EACH_TICKET) return []
  const curves = lengths.flatMap((length, place): MeasuredCurve[] => {
    const start = TEXT_AT + place * CURVE_LENGTH
    const curve = ticket.slice(start, start + CURVE_LENGTH)
    return typeof length === 'number' ? [{ curve, length }] : []
  })
  return curves.length === OF_EACH_TICKET ? curves : []
}
