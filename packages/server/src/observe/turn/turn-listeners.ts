import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { type AddressInfo, createServer, isIPv6, type Socket } from 'node:net'
import { limitKeys } from '../../lib/address-limit.ts'
import { createFairShares } from '../../lib/fair-shares.ts'
import { messageLength } from './stun-message.ts'
import type { TurnExchange } from './turn-exchange.ts'
import { type TurnSource, turnSource } from './turn-source.ts'

/**
 * Answers datagrams on one port. Returns a function that closes it.
 * @param address an IP address; `::` includes IPv4
 * @throws when the port cannot be opened
 */
export async function openTurnUdp(
  address: string,
  port: number,
  exchange: TurnExchange,
): Promise<() => Promise<void>> {
  const socket = createSocket(isIPv6(address) ? 'udp6' : 'udp4')
  socket.on('message', (bytes, peer) => {
    const source = turnSource('udp', peer.address, peer.port)
    const answer = source && exchange(bytes, source)
    // Send errors are ignored: datagrams may get lost anyway, and the browser repeats them.
    if (answer) socket.send(answer.reply, peer.port, peer.address, () => {})
  })
  await new Promise<void>((resolve, reject) => {
    socket.on('error', reject)
    socket.bind(port, address, resolve)
  })
  return () => new Promise((resolve) => socket.close(resolve))
}

/** A check takes three messages of about 200 bytes each. */
const CONNECTION_BYTES_MAX = 4096
/** A check takes three round trips. */
const CONNECTION_MS_MAX = 15_000
const CONNECTIONS_MAX = 1024
/** Enough for an office whose visitors are checked at the same time. */
const CONNECTIONS_PER_NETWORK_MAX = 32
/** For the IPv6 networks of one site together. */
const CONNECTIONS_PER_SITE_MAX = 128

interface TurnTcp {
  port: number
  close(): Promise<void>
}

interface TurnTcpOptions {
  /** Called for each connection that is closed because there are too many. */
  onRefused?: () => void
  connectionsMax?: number
}

/**
 * Answers TCP connections on one port.
 * @param address an IP address; `::` includes IPv4
 * @throws when the port cannot be opened
 */
export async function openTurnTcp(
  address: string,
  port: number,
  exchange: TurnExchange,
  { onRefused, connectionsMax = CONNECTIONS_MAX }: TurnTcpOptions = {},
): Promise<TurnTcp> {
  const open = new Set<Socket>()
  const networks = createFairShares<Socket>()
  const sites = createFairShares<Socket>()

  /** Whether there is room for one more of a network; when all places are taken, the site with most gives one up. */
  function hasRoom(network: string, site: string): boolean {
    if (networks.amountOf(network) >= CONNECTIONS_PER_NETWORK_MAX) return false
    if (sites.amountOf(site) >= CONNECTIONS_PER_SITE_MAX) return false
    if (open.size < connectionsMax) return true
    const greediest = sites.greediestGroup() ?? ''
    const [oldest] = sites.holdersOf(greediest)
    if (!oldest || sites.amountOf(greediest) <= sites.amountOf(site)) return false
    onRefused?.()
    leave(oldest)
    oldest.destroy()
    return true
  }

  function leave(socket: Socket): void {
    open.delete(socket)
    networks.remove(socket)
    sites.remove(socket)
  }

  const server = createServer({ noDelay: true }, (socket) => {
    // Resets by the peer need no handling: `close` follows.
    socket.on('error', () => {})
    const source = turnSource('tcp', socket.remoteAddress ?? '', socket.remotePort ?? 0)
    const [network, site = network] = limitKeys(source?.address ?? '')
    if (source === undefined || !hasRoom(network, site)) {
      onRefused?.()
      socket.destroy()
      return
    }
    const deadline = setTimeout(() => socket.destroy(), CONNECTION_MS_MAX)
    open.add(socket)
    networks.set(socket, network, 1)
    sites.set(socket, site, 1)
    socket.once('close', () => {
      clearTimeout(deadline)
      leave(socket)
    })
    serve(socket, source, exchange)
  })
  server.listen(port, address)
  await once(server, 'listening')
  // An error while accepting costs one check and must not stop the process.
  server.on('error', () => {})
  return {
    port: (server.address() as AddressInfo).port,
    async close() {
      const closed = once(server, 'close')
      server.close()
      for (const socket of open) socket.destroy()
      await closed
    },
  }
}

/** Messages have no framing beyond their own length. The first one that is ignored closes the connection. */
function serve(socket: Socket, source: TurnSource, exchange: TurnExchange): void {
  let pending: Buffer = Buffer.alloc(0)
  let received = 0
  socket.on('data', (chunk: Buffer) => {
    received += chunk.length
    if (received > CONNECTION_BYTES_MAX || socket.writableEnded) return void socket.destroy()
    pending = Buffer.concat([pending, chunk])
    while (pending.length >= 4) {
      const length = messageLength(pending)
      if (length !== undefined && pending.length < length) return
      const answer = length === undefined ? undefined : exchange(pending.subarray(0, length), source)
      if (answer === undefined) return void socket.destroy()
      socket.write(answer.reply)
      if (answer.last) return void socket.end()
      pending = pending.subarray(length)
    }
  })
}
