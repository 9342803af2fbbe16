import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'

export interface DirectoryServer {
  origin: string
  /** Connections and requests so far. */
  connections(): number
  asked: string[]
  close(): Promise<void>
}

/** A server on loopback that publishes keys. It counts who connects, too. */
export async function startDirectoryServer(answer: RequestListener): Promise<DirectoryServer> {
  const asked: string[] = []
  let connections = 0
  const server = createServer((request, response) => {
    asked.push(request.url ?? '')
    answer(request, response)
  })
  server.on('connection', () => {
    connections += 1
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    connections: () => connections,
    asked,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

/** The same for one test. */
export async function directoryServer(answer: RequestListener): Promise<DirectoryServer> {
  const server = await startDirectoryServer(answer)
  onTestFinished(server.close)
  return server
}
