import type { StoreOptions } from '../../../packages/server/src/store/open-store.ts'
import { type RunningInkling, type StartOptions, startInkling } from './start-inkling.ts'

export interface RunningNodes {
  nodes: RunningInkling[]
  ports: number[]
  pids: number[]
  stop(): Promise<void>
}

/** Starts one node after the other; the first one migrates the tables. */
export async function startNodes(
  places: readonly StoreOptions[],
  options?: StartOptions,
): Promise<RunningNodes> {
  const nodes: RunningInkling[] = []
  for (const place of places) nodes.push(await startInkling(place, options))
  return {
    nodes,
    ports: nodes.map(({ port }) => port),
    pids: nodes.map(({ pid }) => pid),
    stop: async () => void (await Promise.all(nodes.map((node) => node.stop()))),
  }
}
