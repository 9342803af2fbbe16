import { hkdfSync } from 'node:crypto'
import { connect } from 'node:net'
import { repeat } from '../lib/repeat.ts'
import type { FollowUps } from '../observe/follow/follow-ups.ts'
import { openNodeLinks, placeOf } from '../observe/follow/node-links.ts'
import { shareFollowUps } from '../observe/follow/shared-follow-ups.ts'
import { nodeStore } from '../store/nodes.ts'
import type { Store } from '../store/store.ts'
import type { ServerContext } from './config.ts'
import { check, type InstallationCheck } from './installation-check.ts'
import { logFailure } from './jobs.ts'
import type { Storage } from './storage.ts'
import type { Telemetry } from './telemetry.ts'

/** How soon a node knows of another one. */
const SEEN_MS = 2_000
const REACHED_WITHIN_MS = 2_000

/** The follow-ups of this node, with what arrives at others where those can reach each other. */
export async function openSharedFollowUps(
  context: ServerContext,
  local: FollowUps,
  { storage: { store, secrets }, telemetry }: { storage: Storage; telemetry: Telemetry },
): Promise<FollowUps> {
  const { config, now, opened } = context
  const self = config.NODE_ADDRESS
  if (self === undefined || store.engine === 'sqlite') return local
  let alive: readonly string[] = [self]
  const links = await openNodeLinks({
    self,
    key: new Uint8Array(hkdfSync('sha256', secrets.secret_box_key, '', 'inkling nodes', 32)),
    now,
    counted: telemetry.metrics.nodeMessage,
    onMessage: (from, message) => shared.receive(from, message),
  })
  opened.defer(() => links.close())
  const shared = shareFollowUps(local, { self, nodes: () => alive, send: links.send })

  async function refresh(): Promise<void> {
    await nodeStore(store.writes).seen(self ?? '', now())
    alive = await nodeStore(store.reads).alive(now())
  }
  await refresh()
  const task = repeat(SEEN_MS, refresh, logFailure(context, 'the list of nodes could not be read'))
  opened.defer(async () => {
    await task.stop()
    await nodeStore(store.writes).gone(self)
  })
  return shared
}

/** Whether this machine reaches every node that runs; nothing where nodes have no addresses. */
export async function checkNodes(
  { reads }: Pick<Store, 'reads'>,
  self: string | undefined,
  nowMs: number,
): Promise<InstallationCheck[]> {
  if (self === undefined) return []
  return [
    await check('nodes', async () => {
      const alive = await nodeStore(reads).alive(nowMs)
      const reached = await Promise.all(alive.map(isReached))
      const missing = alive.filter((_, at) => !reached[at])
      if (missing.length > 0) throw new Error(`cannot be reached: ${missing.join(', ')}`)
      return `${alive.length} running: ${alive.join(', ')}`
    }),
  ]
}

const isReached = (address: string): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect({ ...placeOf(address), timeout: REACHED_WITHIN_MS })
    const end = (is: boolean) => {
      socket.destroy()
      resolve(is)
    }
    socket.once('connect', () => end(true))
    socket.once('error', () => end(false))
    socket.once('timeout', () => end(false))
  })
