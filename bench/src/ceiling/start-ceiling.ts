import { fileURLToPath } from 'node:url'
import { type Child, startNode } from '../lib/child.ts'
import { freePort } from '../lib/free-port.ts'

const SERVER = fileURLToPath(new URL('./ceiling-server.ts', import.meta.url))

/** The thread that writes. */
export type CeilingThread = 'main' | 'worker'

export interface RunningCeiling extends Child {
  port: number
}

export async function startCeiling(file: string, thread: CeilingThread): Promise<RunningCeiling> {
  const port = await freePort()
  const argv = [SERVER, '--file', file, '--port', String(port), '--thread', thread]
  return { ...(await startNode(argv, /^listening/)), port }
}
