import type { Linker, LinkerInput, Searched } from './linker.ts'
import type { Visit } from './population/visits.ts'

/** Result of a linker on a population; shares are of visits unless noted. */
export interface Score {
  visits: number
  devices: number
  /** False merges: visits with an identifier that was first given to another device. */
  falseMerges: number
  falseMergesBy: Record<string, number>
  /** False splits: later visits of a device with an identifier that it never had before. */
  falseSplits: number
  /** Of the visits without their cookie: those with an identifier that the device had before. */
  relinked: number
  relinkedBy: Record<string, number>
  idsPerDevice: number
  idsPerDeviceBy: Record<string, number>
  /**
   * The longest time that a device kept one identifier, averaged over devices, and the same for a
   * perfect linker.
   */
  trackedDays: number
  ceilingDays: number
  /** Share of an identifier's visits that come from its first device, averaged over identifiers. */
  ownership: number
  /** How often the likeliest device was the right one, by tenths of the stated probability. */
  reliability: readonly Reliability[]
  seconds: number
}

export interface Reliability {
  searches: number
  /** Mean of the stated probabilities. */
  stated: number
  /** Share in which the device was right. */
  observed: number
}

export interface Scorer {
  add(visit: Visit, id: string, searched?: Searched): void
  score(): Omit<Score, 'seconds'>
}

interface Owned {
  device: number
  own: number
  all: number
}

const DAY_MS = 86_400_000

class Share {
  hits = 0
  all = 0
  add(hit: boolean): void {
    this.all += 1
    if (hit) this.hits += 1
  }
  get value(): number {
    return this.all === 0 ? 0 : this.hits / this.all
  }
}

/** Counts by cohort and in total. */
class Shares {
  total = new Share()
  by = new Map<string, Share>()
  add(cohort: string, hit: boolean): void {
    // What attackers get counts by itself.
    if (cohort !== 'attacker') this.total.add(hit)
    const share = this.by.get(cohort) ?? new Share()
    share.add(hit)
    this.by.set(cohort, share)
  }
  get values(): Record<string, number> {
    return Object.fromEntries([...this.by].sort().map(([name, share]) => [name, share.value]))
  }
}

export function scorer(): Scorer {
  const owners = new Map<string, Owned>()
  const devices = new Map<
    number,
    { cohort: string; firstAt: number; lastAt: number; ids: Map<string, [number, number]> }
  >()
  const merges = new Shares()
  const splits = new Shares()
  const relinked = new Shares()
  const tenths = Array.from({ length: 10 }, () => ({ searches: 0, stated: 0, right: 0 }))

  return {
    add({ device: index, cohort, atMs, ordinal, cookieLost }, id, searched) {
      if (searched && cohort !== 'attacker') {
        const tenth = tenths[Math.min(9, Math.floor(searched.probability * 10))]
        if (tenth) {
          tenth.searches += 1
          tenth.stated += searched.probability
          if (owners.get(searched.id)?.device === index) tenth.right += 1
        }
      }
      const device = devices.get(index) ?? { cohort, firstAt: atMs, lastAt: atMs, ids: new Map() }
      devices.set(index, device)
      device.lastAt = atMs

      const owner = owners.get(id) ?? { device: index, own: 0, all: 0 }
      owners.set(id, owner)
      const own = owner.device === index
      owner.all += 1
      if (own) owner.own += 1

      const span = device.ids.get(id)
      merges.add(cohort, !own)
      if (cohort !== 'attacker') {
        splits.add(cohort, ordinal > 0 && span === undefined)
        if (cookieLost) relinked.add(cohort, span !== undefined)
      }
      if (span) span[1] = atMs
      else device.ids.set(id, [atMs, atMs])
    },
    score() {
      let tracked = 0
      let ceiling = 0
      const idCounts = new Map<string, [ids: number, devices: number]>()
      const honest = [...devices].filter(([, { cohort }]) => cohort !== 'attacker')
      for (const [index, { cohort, ids, firstAt, lastAt }] of honest) {
        const spans = [...ids].flatMap(([id, [from, to]]) =>
          owners.get(id)?.device === index ? [to - from] : [],
        )
        tracked += Math.max(0, ...spans) / DAY_MS
        ceiling += (lastAt - firstAt) / DAY_MS
        const count = idCounts.get(cohort) ?? [0, 0]
        idCounts.set(cohort, [count[0] + ids.size, count[1] + 1])
      }
      const counts = [...idCounts.values()]
      return {
        visits: merges.total.all,
        devices: honest.length,
        falseMerges: merges.total.value,
        falseMergesBy: merges.values,
        falseSplits: splits.total.value,
        relinked: relinked.total.value,
        relinkedBy: relinked.values,
        idsPerDevice: counts.reduce((sum, [ids]) => sum + ids, 0) / honest.length,
        idsPerDeviceBy: Object.fromEntries(
          [...idCounts].sort().map(([name, [ids, all]]) => [name, ids / all]),
        ),
        trackedDays: tracked / honest.length,
        ceilingDays: ceiling / honest.length,
        reliability: tenths.map(({ searches, stated, right }) => ({
          searches,
          stated: searches === 0 ? 0 : stated / searches,
          observed: searches === 0 ? 0 : right / searches,
        })),
        ownership: [...owners.values()].reduce((sum, { own, all }) => sum + own / all, 0) / owners.size,
      }
    },
  }
}

/** Runs a linker over all visits in order of time. */
export async function scoreLinker(
  linker: Linker,
  visits: Iterable<readonly [Visit, LinkerInput]>,
): Promise<Score> {
  const tally = scorer()
  const startedAt = performance.now()
  for (const [visit, input] of visits) {
    tally.add(visit, await linker.link(input), linker.lastSearch?.())
    if (visit.privateWindow !== undefined) linker.learn?.(input, visit.privateWindow)
  }
  return { ...tally.score(), seconds: (performance.now() - startedAt) / 1_000 }
}
