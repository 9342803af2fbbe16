import type { StoreOptions } from '../../../packages/server/src/store/open-store.ts'
import { type RunningInkling, type StartOptions, startInkling } from '../inkling/start-inkling.ts'
import { startNodes } from '../inkling/start-nodes.ts'
import type { Outage } from '../kill/judge.ts'
import { clockMs } from '../lib/clock.ts'
import { progress } from '../lib/progress.ts'

/** Output of an ended process may arrive a little after its exit event. */
export const STILL_ARRIVING_MS = 250

export interface Cluster {
  ports: number[]
  /** Runs `kill -9` and restarts on the same port. Resolves when the node serves again. */
  killNode(index: number): Promise<Outage>
  /** Nodes that exited without being killed. */
  gone(): number[]
  stop(): Promise<void>
}

export async function openCluster(places: readonly StoreOptions[], options: StartOptions): Promise<Cluster> {
  const { nodes, ports } = await startNodes(places, options)
  const nodeAt = (index: number): { node: RunningInkling; place: StoreOptions } => {
    const [node, place] = [nodes[index], places[index]]
    if (!node || !place) throw new Error(`there is no node ${index + 1}`)
    return { node, place }
  }

  return {
    ports,
    async killNode(index) {
      const { node, place } = nodeAt(index)
      const fromMs = clockMs()
      await node.kill()
      const untilMs = clockMs() + STILL_ARRIVING_MS
      nodes[index] = await startInkling(place, { ...options, port: node.port })
      progress(`node ${index + 1} killed, and back after ${((clockMs() - fromMs) / 1_000).toFixed(1)} s`)
      return { fromMs, untilMs }
    },
    gone: () => nodes.flatMap(({ pid }, index) => (isAlive(pid) ? [] : [index + 1])),
    stop: async () => void (await Promise.all(nodes.map((node) => node.stop()))),
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}
