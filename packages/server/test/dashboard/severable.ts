import { once } from 'node:events'
import { connect, createServer, type Server, type Socket } from 'node:net'
import { freePort } from '../../src/lib/free-port.ts'

export interface Severable {
  port: number
  /** Connections are refused from now on, as if the server was down. */
  sever(): Promise<void>
  /** The server is up again, at the same address. */
  restore(): Promise<void>
}

/** A server at another port, which can go down and come back without losing its state. */
export async function severable(target: { port: number }): Promise<Severable> {
  const port = await freePort('127.0.0.1')
  const sockets = new Set<Socket>()
  let server: Server | undefined

  const keep = (socket: Socket): Socket => {
    sockets.add(socket)
    return socket.on('close', () => sockets.delete(socket)).on('error', () => socket.destroy())
  }
  async function restore(): Promise<void> {
    server = createServer((visitor) => {
      const upstream = keep(connect(target.port, '127.0.0.1'))
      keep(visitor).pipe(upstream).pipe(visitor)
    })
    server.listen(port, '127.0.0.1')
    await once(server, 'listening')
  }
  async function sever(): Promise<void> {
    const closed = server && once(server, 'close')
    server?.close()
    for (const socket of sockets) socket.destroy()
    await closed
  }
  await restore()
  return { port, sever, restore }
}
