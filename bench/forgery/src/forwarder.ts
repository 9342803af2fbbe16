import { once } from 'node:events'
import { createServer as createHttpsServer } from 'node:https'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import type { Certificates } from './certificates.ts'
import { passOn, passUpgradeOn } from './pass-on.ts'
import { passOnHttp2 } from './pass-on-http2.ts'

export type ForwarderMode = 'open' | 'closed' | 'intercepting' | 'gateway'

/** The way from all visitors to one Inkling. Loopback addresses stand for those of the visitors. */
export interface Forwarder {
  port: number
  /** Where later connections seem to come from. */
  address: string
  /**
   * `intercepting` decrypts and encrypts again, as the proxy of a company whose authority its browsers trust does;
   * `gateway` does the same over HTTP/2 and lets no WebSocket through;
   * `closed` cuts all connections, as without a network.
   */
  mode: ForwarderMode
  /** Resolves when a connection was refused because it is closed. */
  refused(): Promise<void>
  close(): void
}

/** @param upstreamPort of the Inkling, on the loopback address */
export async function openForwarder(
  upstreamPort: number,
  certificates: Certificates | undefined,
): Promise<Forwarder> {
  const open = new Set<Socket>()
  let refusal = Promise.withResolvers<void>()
  let mode: ForwarderMode = 'open'

  const upstream = () => ({
    scheme: certificates ? ('https' as const) : ('http' as const),
    port: upstreamPort,
    localAddress: forwarder.address,
    path: (path: string) => path,
    headers: [],
  })
  const interceptor = certificates && createHttpsServer({ cert: certificates.cert, key: certificates.key })
  interceptor?.on('request', (request, response) => {
    if (mode === 'gateway') passOnHttp2(request, response, upstream())
    else passOn(request, response, upstream())
  })
  interceptor?.on('upgrade', (request, socket, head) => {
    if (mode === 'gateway') socket.destroy()
    else passUpgradeOn(request, socket, head, upstream())
  })

  const server = createServer((socket) => {
    open.add(socket)
    socket.on('error', () => socket.destroy()).once('close', () => open.delete(socket))
    if (mode === 'closed') {
      socket.destroy()
      return refusal.resolve()
    }
    if ((mode === 'intercepting' || mode === 'gateway') && interceptor)
      return void interceptor.emit('connection', socket)
    const other = connect({ host: '127.0.0.1', port: upstreamPort, localAddress: forwarder.address })
    other.on('error', () => socket.destroy()).once('close', () => socket.destroy())
    socket.once('close', () => other.destroy())
    socket.pipe(other).pipe(socket)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')

  const forwarder: Forwarder = {
    port: (server.address() as AddressInfo).port,
    address: '127.0.0.1',
    get mode() {
      return mode
    },
    set mode(next) {
      mode = next
      if (next !== 'closed') return
      refusal = Promise.withResolvers<void>()
      for (const socket of open) socket.destroy()
    },
    refused: () => refusal.promise,
    close() {
      server.close()
      for (const socket of open) socket.destroy()
    },
  }
  return forwarder
}
