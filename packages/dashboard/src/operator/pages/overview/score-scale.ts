import { BANDS } from '@inkling/contract'

interface Scale {
  end: number
  /** Round numbers, few enough to read. */
  ticks: readonly number[]
}

/** Scales of scores: close above calm traffic, then at the bands. */
const SCALES: readonly Scale[] = [
  { end: 10, ticks: [0, 5, 10] },
  { end: 20, ticks: [0, 10, 20] },
  { end: BANDS.suspicious.from, ticks: [0, 10, 20, BANDS.suspicious.from] },
  { end: BANDS.dangerous.from, ticks: [0, BANDS.suspicious.from, BANDS.dangerous.from] },
]

const { suspicious, dangerous } = BANDS
const WHOLE: Scale = {
  end: dangerous.to,
  ticks: [0, suspicious.from, dangerous.from, dangerous.to],
}

/** The highest point stays below the upper edge. */
const ROOM = 0.95

/** A scale on which these scores can be told apart; an average of 8 would be a flat line on one to 100. */
export function scoreScale(scores: readonly (number | null)[]): Scale {
  const highest = Math.max(0, ...scores.map((score) => score ?? 0))
  return SCALES.find(({ end }) => highest <= end * ROOM) ?? WHOLE
}
