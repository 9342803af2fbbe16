import { whyNoNginx } from '../packages/server/test/netns/find-nginx.ts'
import { installWithApt, onPath, step, updateApt } from './install-step.ts'

/** Installs the missing tools for tests in network namespaces. The tests report what is still missing. */

const UNPACK_MS = 120_000
const PACKAGES = { ip: 'iproute2', unshare: 'util-linux', openssl: 'openssl' } as const

/** Unpacks instead of installing, because an installed nginx would start its service on port 80. */
const UNPACK_NGINX = `mkdir -p "$0" && cd "$0" && apt-get download nginx libnginx-mod-stream &&
for package in ./*.deb; do dpkg-deb --extract "$package" .; done && rm ./*.deb`

export async function ensureNetworkTools(): Promise<void> {
  // Other systems have no network namespaces, and creating one requires root.
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return
  const missing = Object.entries(PACKAGES).flatMap(([program, name]) => (onPath(program) ? [] : [name]))
  if (missing.length > 0) await installWithApt(missing)
  if (whyNoNginx() === undefined || !onPath('apt-get')) return
  await updateApt()
  await step('sh', ['-c', UNPACK_NGINX, 'node_modules/.nginx'], UNPACK_MS)
}

if (import.meta.main) await ensureNetworkTools()
