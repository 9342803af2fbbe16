import { existsSync, readFileSync } from 'node:fs'
import { access, constants, readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import type { IpDatabase } from '../enrich/ip/ip-facts.ts'
import { createClientAddress } from '../ingest/client-address.ts'
import { unreadBytes } from '../jobs/change-feed/unread-bytes.ts'
import { expectDataDir } from '../store/data-dir.ts'
import type { DiskBudget } from '../store/disk-budget.ts'
import type { Store } from '../store/store.ts'
import { createLatencyRecord, type LatencyRecord, type RunningState } from '../telemetry/running-state.ts'
import { type CertificateFacts, checkCertificate } from './certificate-check.ts'
import type { ServerContext } from './config.ts'
import { type FeedPlace, feedPlace } from './feed-place.ts'
import {
  check,
  checkColdStorage,
  checkNodes,
  checkValkey,
  type InstallationCheck,
} from './installation-check.ts'

const NODE_MAJOR_MIN = 26
/** So that no reader has the server probe nodes and storages without end; short for who repairs something and looks. */
const PROBES_KEPT_MS = 10_000
const AGENT_SCRIPT = new URL('../../../agent/dist/agent.js', import.meta.url)
const PACKAGE = new URL('../../package.json', import.meta.url)

/** The running state, and where the pipeline and the jobs report to it. */
export interface ReportedState extends RunningState {
  latency: LatencyRecord
  retentionRan(run: { endedAtMs: number; removed: number }): void
}

interface RunningStateDeps {
  store: Pick<Store, 'size' | 'cold' | 'reads' | 'jobReads'>
  budget: DiskBudget
  network: Pick<RunningState, 'sources'> & {
    certificate: CertificateFacts['inUse']
    followUps: { pending(): number }
  }
  lookUpIp: IpDatabase['lookUp']
}

export function createRunningState(
  { config, now }: Pick<ServerContext, 'config' | 'now'>,
  { store, budget, network, lookUpIp }: RunningStateDeps,
): ReportedState {
  let lastRun: { endedAtMs: number; removed: number } | undefined
  return {
    version: packageVersion(),
    startedAtMs: now(),
    latency: createLatencyRecord(),
    followUps: network.followUps.pending,
    sources: network.sources,
    installation: keptFor(PROBES_KEPT_MS, now, async () => {
      const dataDir = config.DATA_DIR
      const place = { dataDir, trustProxy: config.TRUST_PROXY, changeFeed: feedPlace(config), lookUpIp }
      const checks = await Promise.all([
        checkInstallation(place),
        checkCertificate({ file: config.TLS_CERT, inUse: network.certificate, nowMs: now() }),
        checkColdStorage(store),
        checkNodes(store, config.NODE_ADDRESS, now()),
        checkValkey(config.VALKEY_URL),
      ])
      return checks.flat()
    }),
    storage: store.size,
    diskLimits: budget.limits,
    retention: { days: config.RETENTION_DAYS, last: () => lastRun },
    retentionRan(run) {
      lastRun = run
    },
  }
}

/** Reads a value at most once in this time: who asks meanwhile gets the same one. A failure is not kept. */
function keptFor<Value>(ms: number, now: () => number, read: () => Promise<Value>): () => Promise<Value> {
  let kept: { value: Promise<Value>; atMs: number } | undefined
  return async () => {
    const nowMs = now()
    // A clock that was set back must not keep it for longer.
    if (!kept || Math.abs(nowMs - kept.atMs) >= ms) kept = { value: read(), atMs: nowMs }
    const current = kept
    try {
      return await current.value
    } catch (error) {
      if (kept === current) kept = undefined
      throw error
    }
  }
}

/** The version of the server's package. */
export function packageVersion(): string {
  const { version } = JSON.parse(readFileSync(PACKAGE, 'utf8')) as { version: string }
  return version
}

export interface InstallationDeps {
  dataDir: string
  trustProxy: readonly string[]
  changeFeed: FeedPlace | undefined
  lookUpIp: IpDatabase['lookUp']
}

/** Checks what the server needs from its machine and its build. */
export const checkInstallation = ({
  dataDir,
  trustProxy,
  changeFeed,
  lookUpIp,
}: InstallationDeps): Promise<InstallationCheck[]> =>
  Promise.all([
    check('node', () => {
      const major = Number(process.versions.node.split('.', 1)[0])
      if (major < NODE_MAJOR_MIN)
        throw new Error(`${process.version}; version ${NODE_MAJOR_MIN} or newer is needed`)
      return process.version
    }),
    check('data directory', async () => {
      expectDataDir(dataDir)
      await access(dataDir, constants.W_OK)
      return dataDir
    }),
    check('trusted proxies', () => {
      createClientAddress(trustProxy)
      return trustProxy.join(', ') || 'none'
    }),
    check('agent', async () => `${(await readFile(AGENT_SCRIPT)).byteLength} bytes`),
    check('address data', () => {
      const { country } = lookUpIp('8.8.8.8')
      if (country === '') throw new Error('it has no country for 8.8.8.8')
      return 'country and network'
    }),
    ...(changeFeed ? [check('change feed', () => checkChangeFeed(changeFeed))] : []),
  ])

async function checkChangeFeed({ directory, unreadBytesMax }: FeedPlace): Promise<string> {
  if (!existsSync(directory))
    throw new Error(`${resolve(directory)} does not exist; start the server, which makes it`)
  await access(directory, constants.W_OK)
  const bytes = await unreadBytes(directory)
  const detail = `${(bytes / 1e6).toFixed(1)} of ${unreadBytesMax / 1e6} MB unread`
  if (bytes >= unreadBytesMax) throw new Error(`it pauses: ${detail}`)
  return detail
}
