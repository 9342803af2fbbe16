import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { onTestFinished } from 'vitest'

/** A TCP proxy in front of a database, which a test can interrupt. */
export interface BreakableLine {
  port: number
  /** Breaks every connection, and refuses new ones. */
  cut(): Promise<void>
  /** Drops all data and keeps the connections open. */
  silence(): void
  mend(): Promise<void>
}

/** @param target path of the database's socket */
export async function breakableLine(target: string): Promise<BreakableLine> {
  const ends = new Set<Socket>()
  let isSilent = false

  const server = createServer((near) => {
    const far = connect(target)
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      ends.add(from)
      from
        .on('data', (bytes) => isSilent || to.write(bytes))
        .on('error', () => {})
        .on('close', () => {
          ends.delete(from)
          to.destroy()
        })
    }
  })
  const listen = (port: number): Promise<void> =>
    new Promise((resolve) => server.listen(port, '127.0.0.1', resolve))
  const drop = (): void => {
    for (const end of ends) end.destroy()
  }
  await listen(0)
  const { port } = server.address() as AddressInfo
  onTestFinished(() => {
    server.close()
    drop()
  })
  return {
    port,
    async cut() {
      const closed = new Promise((resolve) => server.close(resolve))
      drop()
      await closed
    },
    silence() {
      isSilent = true
    },
    async mend() {
      isSilent = false
      drop()
      if (!server.listening) await listen(port)
    },
  }
}
