import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { first, type Namespace } from './namespace.ts'

export interface WireOptions {
  roundTripMs: number
  /** MTU of the near end; the far end has 1500 bytes. */
  mtu?: number
  /** A firewall on the path drops packets to this port. */
  blockedPort?: number
}

const PROGRAM = fileURLToPath(new URL('wire-program.ts', import.meta.url))
const ETHERNET_MTU = 1500
let count = 0

/**
 * Connects two namespaces with the given latency. Uses two TUN devices and a program between them, because not every
 * kernel has `netem`. Unlike behind a router, the TTL does not change.
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
  // WebRTC looks up the route to an internet address to find its own address.
  `route add default dev ${device} src ${here.address} metric ${metric}`,
]
