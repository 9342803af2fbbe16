import { chanceOf } from '../../bench/identity/population/chance.ts'
import { loadOperators } from '../../bench/identity/population/operator.ts'
import { peopleOf } from '../../bench/identity/population/people.ts'
import type { IpDatabase } from '../../packages/server/src/enrich/ip/ip-facts.ts'
import { planAbuse } from './abuse-scenarios.ts'
import { addressPool } from './address-pool.ts'
import { type DemoLists, demoLists } from './demo-lists.ts'
import { demoNetworks } from './demo-networks.ts'
import { planPopulation, type Stage } from './plan-population.ts'
import type { PlannedVisit } from './planned-visit.ts'
import { DAY_MS } from './visit-rhythm.ts'

const OPERATORS = new URL('../../bench/identity/operators', import.meta.url).pathname
/** One round of abuse has about 140 visits. */
const VISITS_PER_ROUND = 10_000

export interface Plan {
  host: string
  days: number
  count: number
  seed: number
  endMs: number
}

/** All visits of the month in order of time. The same plan and address data give the same visits. */
export async function planVisits(
  { host, days, count, seed, endMs }: Plan,
  lookUp: IpDatabase['lookUp'],
): Promise<{ visits: PlannedVisit[]; demo: DemoLists }> {
  const pool = addressPool(lookUp)
  const demo = demoLists(pool)
  const chance = chanceOf(seed)
  const networks = demoNetworks(chance, pool)
  const firstDayMs = Math.floor(endMs / DAY_MS) * DAY_MS - (days - 1) * DAY_MS
  const stage: Stage = {
    chance,
    networks,
    pool,
    demo,
    nextPerson: peopleOf(chance, networks),
    operators: await loadOperators(OPERATORS),
    host,
    firstDayMs,
    endMs,
  }
  const abuse = planAbuse(Math.max(1, Math.round(count / VISITS_PER_ROUND)), stage)
  const population = planPopulation(Math.max(0, count - abuse.length), stage)
  return { visits: [...population, ...abuse].sort((a, b) => a.atMs - b.atMs), demo }
}
