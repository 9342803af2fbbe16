import { COMPARED_FROM, type OverviewValue } from '@inkling/contract/account'

/** A signal is told of when it was found this many times as often as in the range before. */
const FACTOR = 2
/** Standard deviations of a count that only chance changes, so that a calm week does not cry wolf. */
const DEVIATIONS = 3
const SHOWN_MAX = 3

/**
 * Signals that cost points and were found far more often than in the range before, those that added the most points
 * first.
 */
export function risenSignals(values: readonly OverviewValue[]): OverviewValue[] {
  return values
    .filter(({ mean_points }) => mean_points !== null && mean_points > 0)
    .filter(({ identifications: { value, previous } }) => {
      const chance = DEVIATIONS * Math.sqrt(value + previous)
      return value >= COMPARED_FROM && value >= FACTOR * previous && value - previous > chance
    })
    .sort((one, other) => pointsOf(other) - pointsOf(one))
    .slice(0, SHOWN_MAX)
}

const pointsOf = ({ mean_points, identifications }: OverviewValue): number =>
  (mean_points ?? 0) * (identifications.value - identifications.previous)
