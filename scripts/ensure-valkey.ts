import { findValkey } from '../packages/server/test/find-valkey.ts'
import { onPath, step, updateApt } from './install-step.ts'

/** Fetches the server for the tests of limits in Valkey. The tests report when it is missing. */

const UNPACK_MS = 120_000

/** Unpacks instead of installing, because an installed one would start its service. */
const UNPACK = `mkdir -p "$0" && cd "$0" && apt-get download redis-server redis-tools libjemalloc2 liblzf1 &&
for package in ./*.deb; do dpkg-deb --extract "$package" .; done && rm ./*.deb`

export async function ensureValkey(): Promise<void> {
  if (process.platform !== 'linux' || findValkey() || !onPath('apt-get')) return
  await updateApt()
  await step('sh', ['-c', UNPACK, 'node_modules/.valkey'], UNPACK_MS)
}

if (import.meta.main) await ensureValkey()
