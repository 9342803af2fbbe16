import { seededRandom } from '../../lib/seeded-random.ts'

export interface Chance {
  /** From 0 to 1. */
  share(): number
  below(limit: number): number
  exponential(mean: number): number
  /** @param spread standard deviation of the logarithm; the mean stays */
  logNormal(mean: number, spread: number): number
}

export function createChance(seed: number): Chance {
  const share = seededRandom(seed)
  /** By Box and Muller, https://doi.org/10.1214/aoms/1177706645 */
  const normal = (): number => Math.sqrt(-2 * Math.log(1 - share())) * Math.cos(2 * Math.PI * share())
  return {
    share,
    below: (limit) => Math.floor(share() * limit),
    exponential: (mean) => -Math.log(1 - share()) * mean,
    logNormal: (mean, spread) => mean * Math.exp(spread * normal() - spread ** 2 / 2),
  }
}

/**
 * Picks domains: the first one has a share of its own, the others divide the rest like 1, 1/2, 1/3 and so on (Zipf).
 */
export function skewedDomains(count: number, largest: number): (share: number) => number {
  const weights = Array.from({ length: count }, (_, index) => (index === 0 ? 0 : 1 / index))
  const rest = weights.reduce((sum, weight) => sum + weight, 0)
  let sum = 0
  const ends = weights.map((weight, index) => {
    sum += index === 0 ? largest : (weight / rest) * (1 - largest)
    return sum
  })
  return (share) => {
    let low = 0
    let high = count - 1
    while (low < high) {
      const middle = (low + high) >> 1
      if ((ends[middle] ?? 1) > share) high = middle
      else low = middle + 1
    }
    return low
  }
}
