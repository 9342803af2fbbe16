import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { onTestFinished } from 'vitest'
import { type DomainKeys, registerDomain } from '../../src/auth/register-domain.ts'
import { openServerSecrets } from '../../src/auth/server-secrets.ts'
import { addEndpoint } from '../../src/deliver/webhook-endpoints.ts'
import { freePort } from '../../src/lib/free-port.ts'
import { createSecretBox } from '../../src/lib/secret-box.ts'
import { domainStore } from '../../src/store/domains/domains.ts'
import { openStore } from '../../src/store/open-store.ts'
import type { Store } from '../../src/store/store.ts'
import { temporaryDirectory } from '../temporary-store.ts'

const CLI = fileURLToPath(new URL('../../bin/inkling.js', import.meta.url))

/** An installation whose server runs in a process of its own, so that a test can send it signals. */
export interface Installation {
  directory: string
  keys: DomainKeys
  /** The same database with connections of its own. */
  store: Store
  /** Starts `inkling serve` and resolves when it listens. */
  serve(settings?: Record<string, string>): Promise<ServiceProcess>
}

export interface ServiceProcess {
  url: string
  port: number
  signal(name: 'SIGTERM' | 'SIGINT' | 'SIGKILL'): void
  /** Resolves when the log contains a text. */
  logged(text: string): Promise<void>
  /** Resolves with the exit of the process. */
  ended: Promise<{ status: number | null; log: string }>
}

/** @param databaseUrl PostgreSQL for `store`; the embedded database without it */
export async function installation(
  endpoints: readonly string[] = [],
  databaseUrl?: string,
): Promise<Installation> {
  const directory = await temporaryDirectory()
  const store = await openStore({ dataDir: directory, databaseUrl })
  onTestFinished(() => store.close())
  const keys = await registerDomain(store, 'shop.example', Date.now())
  const domain = await domainStore(store.reads).find('shop.example')
  if (!keys || !domain) throw new Error('the domain could not be registered')
  const box = createSecretBox((await openServerSecrets(store.secrets)).secret_box_key)
  for (const url of endpoints) await addEndpoint(store, box, domain.id, url, Date.now())
  return { directory, keys, store, serve: (settings = {}) => serve(directory, settings) }
}

async function serve(directory: string, settings: Record<string, string>): Promise<ServiceProcess> {
  const port = await freePort('127.0.0.1')
  const { NODE_COMPILE_CACHE } = process.env
  const child = spawn(process.execPath, [CLI, 'serve'], {
    env: {
      // Halves the start.
      ...(NODE_COMPILE_CACHE !== undefined && { NODE_COMPILE_CACHE }),
      PORT: String(port),
      DATA_DIR: directory,
      WEBHOOK_ALLOW_PRIVATE: 'true',
      INGEST_LIMIT_PER_MINUTE: '100000',
      LOG_LEVEL: 'warn',
      TURN_PORT: 'off',
      FEEDS: 'off',
      ...settings,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let log = ''
  const ended = once(child, 'close').then(([status]) => ({ status: status as number | null, log }))
  const logged = (text: string): Promise<void> =>
    new Promise((resolve) => {
      const look = (): void => {
        if (log.includes(text)) resolve()
      }
      child.stderr.on('data', look)
      look()
    })
  child.stderr.on('data', (chunk: Buffer) => {
    log += chunk.toString()
  })
  onTestFinished(async ({ task }) => {
    if (task.result?.state === 'fail') process.stderr.write(log)
    child.kill('SIGKILL')
    await ended
  })
  await listening(child, ended)
  return { url: `http://127.0.0.1:${port}`, port, signal: (name) => void child.kill(name), logged, ended }
}

async function listening(child: ChildProcess, ended: ServiceProcess['ended']): Promise<void> {
  const listens = Promise.withResolvers<void>()
  if (child.stdout)
    createInterface(child.stdout).on('line', (line) => line.startsWith('listening on') && listens.resolve())
  const early = ended.then(({ log }) => Promise.reject(new Error(`it ended before it listened: ${log}`)))
  await Promise.race([listens.promise, early])
}
