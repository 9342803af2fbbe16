import { checkInstallation } from '../cli/check-installation.ts'
import type { IpDatabase } from '../enrich/ip/ip-facts.ts'
import { createLatencyRecord, type LatencyRecord } from '../lib/latency-record.ts'
import { packageVersion } from '../lib/package-version.ts'
import type { Store } from '../store/store.ts'
import type { RunningState } from '../telemetry/running-state.ts'
import type { Config } from './config.ts'
import type { Network } from './network.ts'

/** What the process knows of itself, and where its work is noted. */
export interface OpenRunningState extends RunningState {
  latency: LatencyRecord
  retentionRan(run: { endedAtMs: number; removed: number }): void
}

export interface RunningStateDeps {
  config: Config
  store: Pick<Store, 'size'>
  network: Pick<Network, 'followUps' | 'sources'>
  lookUpIp: IpDatabase['lookUp']
  now(): number
}

export function openRunningState({
  config,
  store,
  network,
  lookUpIp,
  now,
}: RunningStateDeps): OpenRunningState {
  let lastRun: { endedAtMs: number; removed: number } | undefined
  return {
    version: packageVersion(),
    startedAtMs: now(),
    latency: createLatencyRecord(),
    followUps: network.followUps.pending,
    sources: network.sources,
    installation: () =>
      checkInstallation({ dataDir: config.DATA_DIR, trustProxy: config.TRUST_PROXY, lookUpIp }),
    storage: store.size,
    retention: { days: config.RETENTION_DAYS, last: () => lastRun },
    retentionRan(run) {
      lastRun = run
    },
  }
}
