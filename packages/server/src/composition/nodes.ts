import { hkdfSync } from 'node:crypto'
import { throttledLog } from '../lib/log.ts'
import { repeat } from '../lib/repeat.ts'
import type { FollowUps } from '../observe/follow/follow-ups.ts'
import { openNodeLinks } from '../observe/follow/node-links.ts'
import { shareFollowUps } from '../observe/follow/shared-follow-ups.ts'
import { nodeStore } from '../store/nodes.ts'
import { FAILURE_LOG_INTERVAL_MS, type ServerContext } from './config.ts'
import type { Storage } from './storage.ts'
import type { Telemetry } from './telemetry.ts'

/** How soon a node knows of another one. */
const SEEN_MS = 2_000

/** The follow-ups of this node, with what arrives at others where those can reach each other. */
export async function openSharedFollowUps(
  context: ServerContext,
  local: FollowUps,
  { storage: { store, secrets }, telemetry }: { storage: Storage; telemetry: Telemetry },
): Promise<FollowUps> {
  const { config, log, now, opened } = context
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
    const nodes = nodeStore(store.claims)
    await nodes.seen(self ?? '', now())
    alive = await nodes.alive(now())
  }
  await refresh()
  const failed = throttledLog<unknown>(FAILURE_LOG_INTERVAL_MS, (err, times) =>
    log.warn({ err, times }, 'the list of nodes could not be read'),
  )
  const task = repeat(SEEN_MS, refresh, failed)
  opened.defer(async () => {
    await task.stop()
    // Without it the others take some seconds to notice.
    await nodeStore(store.claims).gone(self).catch(failed)
  })
  return shared
}
