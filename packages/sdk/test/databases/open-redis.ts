import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { accessSync, constants } from 'node:fs'
import { createRequire } from 'node:module'
import { delimiter, join } from 'node:path'
import { freePort } from '../../../server/src/lib/free-port.ts'
import type { RedisCommands } from '../../src/redis-replay-store.ts'
import type { Opened } from './opened.ts'

const PROGRAMS = ['redis-server', 'valkey-server'] as const

/** The Redis server of this machine, if installed. */
export function findRedis(): string | undefined {
  const folders = (process.env.PATH ?? '').split(delimiter)
  return folders
    .flatMap((folder) => PROGRAMS.map((program) => join(folder, program)))
    .find((path) => {
      try {
        accessSync(path, constants.X_OK)
        return true
      } catch {
        return false
      }
    })
}

interface Client extends RedisCommands {
  connect(): Promise<unknown>
  close(): Promise<void>
  on(event: 'error', listener: () => void): unknown
}

/** A new Redis in memory, used through a client of `redis`. */
export async function openRedis(program: string, folder: string): Promise<Opened<RedisCommands>> {
  const { createClient } = createRequire(join(folder, 'package.json'))('redis') as {
    createClient(options: object): Client
  }
  const port = await freePort('127.0.0.1')
  const args = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no']
  const server = spawn(program, args, { stdio: 'ignore' })
  const client = createClient({ socket: { port, host: '127.0.0.1', reconnectStrategy: 50 } })
  // The client retries until the server listens.
  client.on('error', () => {})
  await client.connect()
  return {
    client,
    async close() {
      await client.close()
      server.kill()
      await once(server, 'close')
    },
  }
}
