import { readFileSync } from 'node:fs'
import type { Config } from './config.ts'
import type { IpDatabase } from './enrich/ip/ip-facts.ts'
import { checkInstallation } from './installation/check-installation.ts'
import { createLatencyRecord, type LatencyRecord } from './lib/latency-record.ts'
import type { Network } from './open-network.ts'
import type { RunningState } from './running-state.ts'
import { databaseSize } from './store/sqlite/database-size.ts'

const PACKAGE = new URL('../package.json', import.meta.url)

/** What the process knows of itself, and where its work is noted. */
export interface OpenRunningState extends RunningState {
  latency: LatencyRecord
  retentionRan(run: { endedAtMs: number; removed: number }): void
}

export interface RunningStateDeps {
  config: Config
  network: Pick<Network, 'followUps' | 'sources'>
  lookUpIp: IpDatabase['lookUp']
  now(): number
}

export function openRunningState({ config, network, lookUpIp, now }: RunningStateDeps): OpenRunningState {
  let lastRun: { endedAtMs: number; removed: number } | undefined
  const { version } = JSON.parse(readFileSync(PACKAGE, 'utf8')) as { version: string }
  return {
    version,
    startedAtMs: now(),
    latency: createLatencyRecord(),
    followUps: network.followUps.pending,
    sources: network.sources,
    installation: () =>
      checkInstallation({ dataDir: config.DATA_DIR, trustProxy: config.TRUST_PROXY, lookUpIp }),
    storage: () => databaseSize(config.DATA_DIR),
    retention: { days: config.RETENTION_DAYS, last: () => lastRun },
    retentionRan(run) {
      lastRun = run
    },
  }
}
