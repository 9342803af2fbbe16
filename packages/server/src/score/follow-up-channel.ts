import type { Identified } from '../visit/identification.ts'

/**
 * Whether the page opened the follow-up channel, which the agent does before anything else; false only where practically
 * all proven visits of the domain open one.
 */
export function openedChannel({ network: { roundTrip } }: Pick<Identified, 'network'>): boolean | undefined {
  if (roundTrip.available || roundTrip.reason === 'pending' || roundTrip.reason === 'not_measured')
    return true
  return roundTrip.reason === 'never_opened' ? false : undefined
}
