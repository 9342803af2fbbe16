import { createServer } from 'node:net'

/**
 * A port that nobody listens on now. Public URLs are part of the settings, so a server that may take any
 * port must know which one before it is built.
 */
export async function freePort(host: string): Promise<number> {
  const probe = createServer()
  await new Promise<void>((resolve, reject) => probe.once('error', reject).listen(0, host, resolve))
  const address = probe.address()
  await new Promise((resolve) => probe.close(resolve))
  if (address === null || typeof address === 'string') throw new Error('no port could be had')
  return address.port
}
