/** What visits are counted by. A `prefix` is the network of a site: a /24 of IPv4, a /48 of IPv6. */
export const VELOCITY_SUBJECTS = ['device', 'visitor', 'cookie', 'account', 'address', 'prefix'] as const
export type VelocitySubject = (typeof VELOCITY_SUBJECTS)[number]

/** What is counted of each: visits, and how many different ones of the others came with them. */
export const VELOCITY_COUNTERS = [
  'visits',
  'devices',
  'accounts',
  'addresses',
  'countries',
  'cookies',
] as const
export type VelocityCounter = (typeof VELOCITY_COUNTERS)[number]
export type DistinctCounter = Exclude<VelocityCounter, 'visits'>

/** Of what a subject has one itself, which needs no counting. */
export const OWN_COUNTER: Readonly<Partial<Record<VelocitySubject, DistinctCounter>>> = {
  device: 'devices',
  cookie: 'cookies',
  account: 'accounts',
  address: 'addresses',
}

/** Counts over 5 minutes, 1 hour, 24 hours and 7 days. */
export interface WindowCounts {
  m5: number
  h1: number
  h24: number
  d7: number
}

export type VelocityCounts = Record<VelocityCounter, WindowCounts>

/** By subject; null for a subject that the visit lacks, and for visits that were not counted. */
export type Velocity = Record<VelocitySubject, VelocityCounts | null>
