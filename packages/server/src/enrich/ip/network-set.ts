/** One organisation and the autonomous system numbers it runs. */
export type NetworkSeed = readonly [organization: string, ...asns: number[]]

/** The numbers of all the seeds. The names are for people: to check a number, and to find a missing one. */
export const networkSet = (seeds: readonly NetworkSeed[]): ReadonlySet<number> =>
  new Set(seeds.flatMap(([, ...asns]) => asns))
