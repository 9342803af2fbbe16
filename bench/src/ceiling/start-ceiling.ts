import { fileURLToPath } from 'node:url'
import { startNode } from '../lib/child.ts'
import { freePort } from '../lib/free-port.ts'

const SERVER = fileURLToPath(new URL('./ceiling-server.ts', import.meta.url))

export interface RunningCeiling {
  ports: number[]
  pids: number[]
  stop(): Promise<void>
}

/**
 * Starts several processes that write to the same database.
 * @param argv where and how they write
 */
export async function startCeiling(argv: readonly string[], processes: number): Promise<RunningCeiling> {
  const ports = await Promise.all(Array.from({ length: processes }, () => freePort()))
  const children = await Promise.all(
    ports.map((port) => startNode([SERVER, '--port', String(port), ...argv], /^listening/)),
  )
  return {
    ports,
    pids: children.map(({ pid }) => pid),
    stop: async () => void (await Promise.all(children.map((child) => child.stop()))),
  }
}
