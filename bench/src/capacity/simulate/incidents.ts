import { MEASURED } from '../measured.ts'
import type { Incident, Second } from './run-window.ts'

/** Of how many cores a move takes one at both workers, and how long it blocks writes at its end. Both are assumed. */
const MOVE_CORES = 1
const MOVE_BLOCKS_MS = 1_000

export const nodeKilled = (atMs: number, downMs: number): Incident => ({
  atMs,
  name: `a node killed, back after ${downMs / 1_000} s`,
  happen({ nodes }, simulation) {
    nodes[0]?.kill()
    simulation.after(downMs, () => nodes[0]?.start())
  },
})

/** @param name of the machine, as it is printed */
export const databaseRestarted = (atMs: number, downMs: number, name: string): Incident => ({
  atMs,
  name: `${name} restarted, back after ${downMs / 1_000} s`,
  happen({ workers, ownerOf }, simulation) {
    const worker = workers[ownerOf(0)]
    worker?.stop()
    simulation.after(downMs, () => worker?.start())
  },
})

/** Moves the second largest domain to another worker while visits of it arrive. */
export const shardMoved = (atMs: number, workerCores: number): Incident => ({
  atMs,
  name: `a shard moved in ${MEASURED.moveSeconds.value} s, blocked for the last ${MOVE_BLOCKS_MS / 1_000} s`,
  happen(installation, simulation) {
    const domain = 1
    const source = installation.ownerOf(domain)
    const target = (source + 1) % installation.workers.length
    const both = [source, target].map((index) => installation.workers[index])
    for (const worker of both) worker?.resize(workerCores - MOVE_CORES)
    const durationMs = MEASURED.moveSeconds.value * 1_000
    simulation.after(durationMs - MOVE_BLOCKS_MS, () => installation.blockDomain(domain, true))
    simulation.after(durationMs, () => {
      installation.moveDomain(domain, target)
      installation.blockDomain(domain, false)
      for (const worker of both) worker?.resize(workerCores)
    })
  },
})

/** As usual is at most this much more than the median of the seconds before. */
const USUAL = 1.5

/** @returns seconds until nothing is refused and p99 is as before; undefined if that did not happen */
export function recoverySeconds(seconds: readonly Second[], atMs: number): number | undefined {
  const start = Math.floor(atMs / 1_000)
  const before = seconds
    .slice(0, start)
    .map(({ p99Ms }) => p99Ms)
    .sort((a, b) => a - b)
  const usual = (before[Math.floor(before.length / 2)] ?? Number.NaN) * USUAL
  const isUsual = ({ p99Ms, refused }: Second): boolean => refused === 0 && p99Ms <= usual
  const disturbed = seconds.slice(start).findLastIndex((second) => !isUsual(second))
  const last = start + disturbed
  return last === seconds.length - 1 ? undefined : disturbed + 1
}
