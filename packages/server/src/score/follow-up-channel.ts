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

/** What the agent measures after its body, and sends over the channel or not at all. */
const LATE_READINGS: readonly string[] = [
  'worker',
  'iframe',
  'worker_inspector',
  'keyboard',
  'media_devices',
  'private_mode',
]

export const isLateReading = (name: string): boolean => LATE_READINGS.includes(name)
