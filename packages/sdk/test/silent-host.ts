import { createServer } from 'node:net'
import { freePort } from '../../server/src/lib/free-port.ts'

/** A host that accepts every connection and never responds. */
export async function silentHost(): Promise<{ url: string; close(): void }> {
  const server = createServer((socket) => socket.on('error', () => {}))
  const port = await freePort('127.0.0.1')
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  return { url: `http://127.0.0.1:${port}`, close: () => void server.close() }
}
