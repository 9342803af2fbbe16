import type { Indicator } from '../indicators.ts'

/**
 * Groups of indicators that one ordinary cause can raise by itself, with the points of each. Two groups are
 * needed for a verdict, and what extensions against tracking do is never one of the two.
 */
const GROUPS = {
  /** Which browser on which system. A user-agent switcher changes all of it and nothing else. */
  identity: 25,
  /** A graphics card other than the one that the worker sees. */
  gpu: 15,
  languages: 15,
  timezone: 15,
  permissions: 15,
  /** How the request was written. Antivirus programs and company gateways write it anew. */
  transport: 15,
  /**
   * Cores, memory, screen, graphics, drawings and audio, which extensions against tracking blur, and that they hide
   * it. Few enough points to clear somebody who switches the user agent as well.
   */
  reduction: 4,
  /** Hardware that is not what it was at the device's last visit. */
  temporal: 25,
} as const

export type TamperingGroup = keyof typeof GROUPS

/** An indicator with the points of its group. */
export const indicatorOf = (name: string, group: TamperingGroup, evidence: unknown): Indicator => ({
  name,
  group,
  points: GROUPS[group],
  evidence,
})
