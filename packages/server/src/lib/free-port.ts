import { randomInt } from 'node:crypto'
import { createServer } from 'node:net'

/**
 * Below the ports that systems give to outgoing connections (from 32768 on Linux), one of which could take the port
 * before its server does, and above those that browsers refuse (10080 is the highest).
 */
const FIRST = 11_000
const END = 32_000
const TRIES = 20

/**
 * A port that nobody listens on now. Public URLs are part of the settings, so a server that may take any
 * port must know which one before it is built.
 */
export async function freePort(host: string): Promise<number> {
  for (let tries = 1; ; tries++) {
    const port = randomInt(FIRST, END)
    try {
      await probe(host, port)
      return port
    } catch (error) {
      if (tries === TRIES) throw error
    }
  }
}

/** Rejects when the port is taken. */
async function probe(host: string, port: number): Promise<void> {
  const server = createServer()
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(port, host, resolve))
  await new Promise((resolve) => server.close(resolve))
}
