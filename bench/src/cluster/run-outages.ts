import { setTimeout as sleep } from 'node:timers/promises'
import type { Outage } from '../kill/judge.ts'
import { clockMs } from '../lib/clock.ts'
import type { Cluster } from './open-cluster.ts'

export interface OutagePlan {
  seconds: number
  /** Every node is killed once per round. */
  rounds: number
  random(): number
}

/** Kills every node in turn and PostgreSQL in the middle, spread over the duration. */
export async function runOutages(
  cluster: Cluster,
  { seconds, rounds, random }: OutagePlan,
): Promise<Outage[]> {
  const kills = Array.from({ length: rounds }, () =>
    cluster.ports.map((_, index) => () => cluster.killNode(index)),
  ).flat()
  kills.splice(Math.ceil(kills.length / 2), 0, cluster.killPostgres)

  const outages: Outage[] = []
  const endsAt = clockMs() + seconds * 1_000
  for (const [done, kill] of kills.entries()) {
    const shareMs = Math.max(0, endsAt - clockMs()) / (kills.length - done + 0.5)
    await sleep(shareMs * (0.5 + 0.5 * random()))
    outages.push(await kill())
  }
  await sleep(Math.max(0, endsAt - clockMs()))
  return outages
}
