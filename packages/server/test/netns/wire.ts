import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { first, type Namespace } from './namespace.ts'

export interface WireOptions {
  roundTripMs: number
  /** Largest packet that the near end sends; the far one takes 1500 bytes. */
  mtu?: number
  /** A firewall on the way drops what goes to this port. */
  blockedPort?: number
}

const PROGRAM = fileURLToPath(new URL('wire-program.ts', import.meta.url))
const ETHERNET_MTU = 1500
let count = 0

/**
 * Joins two namespaces by a line of the given length. Made of two TUN devices and a program between them,
 * because not every kernel has `netem`; as on a line, and unlike behind a router, the TTL stays as it was.
 */
export async function wire(
  near: Namespace,
  far: Namespace,
  { roundTripMs, mtu = ETHERNET_MTU, blockedPort = 0 }: WireOptions,
): Promise<void> {
  count += 1
  const number = count
  const own = `near${number}`
  const other = `far${number}`
  const settings = [own, other, String(roundTripMs / 2), String(blockedPort)]
  const program = near.start(process.execPath, [PROGRAM, ...settings], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  await first(program, once(program, 'message'))
  await near.ip(`link set ${other} netns ${far.pid}`)
  await Promise.all([
    near.ip(...endOf(own, mtu, number, near, far)),
    far.ip(...endOf(other, ETHERNET_MTU, number, far, near)),
  ])
}

const endOf = (device: string, mtu: number, metric: number, here: Namespace, there: Namespace): string[] => [
  `link set ${device} mtu ${mtu} up`,
  `address add ${here.address}/32 dev ${device}`,
  `route add ${there.address}/32 dev ${device} src ${here.address}`,
  // WebRTC asks for the way to an address on the internet to learn which of its own to use.
  `route add default dev ${device} src ${here.address} metric ${metric}`,
]
