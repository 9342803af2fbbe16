import { exec } from 'node:child_process'
import { promisify } from 'node:util'
import type { Outage } from '../kill/judge.ts'
import { clockMs } from '../lib/clock.ts'
import { progress } from '../lib/progress.ts'
import type { RunningPostgres } from '../postgres/start-postgres.ts'
import { STILL_ARRIVING_MS } from './open-cluster.ts'

/** Kills PostgreSQL like a crash and starts it again. */
export const killing = (postgres: RunningPostgres) => (): Promise<Outage> =>
  timed('PostgreSQL killed', async () => {
    await postgres.kill()
    await postgres.start()
  })

/**
 * Runs a command of the shell, as one that restarts a worker of a Citus cluster or moves a shard: only its operator can.
 * @throws when it exits with another status than 0
 */
export const running = (command: string) => (): Promise<Outage> =>
  timed(command, () => promisify(exec)(command))

async function timed(what: string, work: () => Promise<unknown>): Promise<Outage> {
  const fromMs = clockMs()
  await work()
  const untilMs = clockMs() + STILL_ARRIVING_MS
  progress(`${what}, and back after ${((clockMs() - fromMs) / 1_000).toFixed(1)} s`)
  return { fromMs, untilMs }
}
