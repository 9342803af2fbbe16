/**
 * How often the operators of the populations do what they do, for a judge that knows it. Each number is the operator's
 * own: a change there must be made here too.
 */

/** Probability that something that happens at random within a mean time happened. */
export const within = (days: number, meanDays: number): number => 1 - Math.exp(-days / meanDays)

/** Weight of the n-th of `count` where the n-th is picked by 1 / n^exponent. */
export function rankOdds(rank: number, count: number, exponent: number): number {
  if (rank < 0) return 0
  let sum = 0
  for (let index = 1; index <= count; index++) sum += 1 / index ** exponent
  return 1 / (rank + 1) ** exponent / sum
}

/** Names of the operators that a population has. */
export type Operators = ReadonlySet<string>

/** Those that the rates here and of `look-odds.ts` are of. */
export const KNOWN_OPERATORS: Operators = new Set([
  ...['address change', 'automatic theme', 'browser update', 'clearing', 'cookie clear', 'font install'],
  ...['GPU driver', 'IPv6 renewal', 'insecure page', 'language', 'monitor', 'new parts', 'private window'],
  ...['profiles', 'Safari storage', 'second GPU', 'signed out', 'storage expiry', 'strict Firefox'],
  // A phone that moves into another household is rare enough to be left out.
  ...['household', 'system update', 'travel', 'VPN', 'zoom'],
])

interface Habit {
  index: number
  cohort: string
  browser: string
}

/** Probability that a visit brings a cookie that the device did not have, and that it draws with noise. */
export function unknownCookieOdds(
  operators: Operators,
  { index, cohort, browser }: Habit,
  days: number,
  { noise, profileSeen }: { noise: boolean; profileSeen: boolean },
): number {
  const kept: number[] = []
  if (operators.has('cookie clear')) kept.push(1 - 0.078)
  if (operators.has('clearing')) kept.push(index % 20 === 7 && days > 1 / 24 ? 0 : 1 - within(days, 150))
  if (operators.has('Safari storage') && browser === 'Safari' && days > 7) kept.push(1 - 0.85)
  if (operators.has('storage expiry') && browser === 'Safari' && days > 7) kept.push(1 - 0.25)
  if (operators.has('signed out') && cohort === 'fleet' && index % 2 === 0 && days > 1 / 24) kept.push(0)
  const isSecond =
    operators.has('profiles') && cohort === 'desktop' && index % 12 === 5 && browser !== 'Safari'
  if (isSecond && !profileSeen) kept.push(1 - 0.4)
  const lost = 1 - kept.reduce((product, share) => product * share, 1)
  const noisy =
    browser === 'Brave' || (operators.has('strict Firefox') && browser === 'Firefox' && index % 4 === 2)
  const isPrivate = operators.has('private window') ? 0.055 : 0
  const hides = browser === 'Safari' || browser === 'Firefox'
  return isPrivate * Number(noise === (noisy || hides)) + (1 - isPrivate) * lost * Number(noise === noisy)
}

/**
 * Rate per day at which a device comes again so long after its last visit.
 * @param seen visits so far
 * @param livedDays between its first visit and the end of the horizon
 */
export function returnRate(days: number, seen: number, livedDays: number, visitsMean: number): number {
  const again = Math.exp(-1 / visitsMean)
  const gap = livedDays / (seen + visitsMean + 1)
  const [soon, later] = [0.2 * Math.exp(-days / 0.05), 0.8 * Math.exp(-days / gap)]
  return (again * (soon / 0.05 + later / gap)) / (1 - again + again * (soon + later))
}
