import { createSocket } from 'node:dgram'
import { isIPv6 } from 'node:net'
import type { TurnExchange } from './turn-exchange.ts'
import { turnSource } from './turn-source.ts'

/**
 * Answers datagrams on one port until it is closed.
 * @param address an IP address; `::` takes IPv4 too
 * @throws when the port cannot be had
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
    // What cannot be sent or received is lost, as any datagram may be; the browser repeats itself.
    if (answer) socket.send(answer.reply, peer.port, peer.address, () => {})
  })
  await new Promise<void>((resolve, reject) => {
    socket.on('error', reject)
    socket.bind(port, address, resolve)
  })
  return () => new Promise((resolve) => socket.close(resolve))
}
