import { setTimeout as sleep } from 'node:timers/promises'
import type { Outage } from '../kill/judge.ts'
import { clockMs } from '../lib/clock.ts'
import type { Cluster } from './open-cluster.ts'

export interface OutagePlan {
  seconds: number
  /** Every node is killed once per round. */
  rounds: number
  /** Those of the database. */
  others: readonly (() => Promise<Outage>)[]
  random(): number
}

/** Kills every node in turn, with the outages of the database among them, spread over the duration. */
export async function runOutages(
  cluster: Cluster,
  { seconds, rounds, others, random }: OutagePlan,
): Promise<Outage[]> {
  const kills = Array.from({ length: rounds }, () =>
    cluster.ports.map((_, index) => () => cluster.killNode(index)),
  ).flat()
  // From the last, so that the places of the others stay.
  for (const [index, outage] of [...others.entries()].reverse())
    kills.splice(Math.ceil(((index + 1) * kills.length) / (others.length + 1)), 0, outage)

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
