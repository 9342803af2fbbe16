import type { DestinationStream } from 'pino'
import { onTestFinished } from 'vitest'
import { type DomainKeys, registerDomain } from '../src/auth/register-domain.ts'
import { openServerSecrets } from '../src/auth/server-secrets.ts'
import { readConfig } from '../src/composition/config.ts'
import { startServer } from '../src/composition/start-server.ts'
import { addEndpoint } from '../src/deliver/webhook-endpoints.ts'
import { saveDemoKeys } from '../src/demo/demo-keys.ts'
import { freePort } from '../src/lib/free-port.ts'
import { createLog } from '../src/lib/log.ts'
import { createSecretBox, type SecretBox } from '../src/lib/secret-box.ts'
import { domainStore } from '../src/store/domains/domains.ts'
import type { Store } from '../src/store/store.ts'
import { makeDirectory } from './temporary-store.ts'
import { databaseSettings, openStoreIn } from './test-database.ts'

export interface TestServer {
  url: string
  port: number
  keys: DomainKeys
  /** Keys of the other domains, in the requested order. */
  others: DomainKeys[]
  directory: string
  /** Signing secrets, in the order of the requested endpoints. */
  secrets: string[]
  /** The same database, opened beside the server like by the command line. */
  store: Store
  box: SecretBox
}

export interface TestServerOptions {
  domain?: string
  /** Other domains on the same server. */
  otherDomains?: readonly string[]
  /** Webhook endpoints of the domain. */
  endpoints?: readonly string[]
  /** Gets the port, which public URLs contain. */
  settings?: Record<string, string> | ((port: number) => Record<string, string>)
  now?: () => number
  /** Whether its domain has the demo. */
  demo?: boolean
  /** Destination of the log instead of standard error. */
  logTo?: DestinationStream
}

/** A whole server for the tests of one file, which has to close it. */
export async function startTestServer({
  domain = 'shop.example',
  otherDomains = [],
  endpoints = [],
  settings = {},
  now = Date.now,
  demo = false,
  logTo,
}: TestServerOptions = {}): Promise<TestServer & { close(): Promise<void> }> {
  const directory = await makeDirectory()
  const store = await openStoreIn(directory.path)
  const box = createSecretBox((await openServerSecrets(store.secrets)).secret_box_key)
  const registered: DomainKeys[] = []
  for (const name of [domain, ...otherDomains]) {
    const keys = await registerDomain(store, name, Date.UTC(2026, 0))
    if (!keys) throw new Error(`the domain ${name} could not be registered`)
    registered.push(keys)
  }
  const [keys, ...others] = registered
  if (!keys) throw new Error('no domain')
  if (demo) await saveDemoKeys(directory.path, keys)
  const row = await domainStore(store.reads).find(domain)
  const secrets: string[] = []
  for (const endpoint of endpoints)
    secrets.push((await addEndpoint(store, box, row?.id ?? 0, endpoint, Date.now())).secret)

  const port = await freePort('127.0.0.1')
  const config = readConfig({
    PORT: String(port),
    DATA_DIR: directory.path,
    ...(await databaseSettings(directory.path)),
    WEBHOOK_ALLOW_PRIVATE: 'true',
    LOG_LEVEL: 'warn',
    // Many servers run on one machine at the same time.
    TURN_PORT: 'off',
    FEEDS: 'off',
    ...(typeof settings === 'function' ? settings(port) : settings),
  })
  const server = await startServer(config, createLog(config.LOG_LEVEL, config.LOG_PRIVACY, logTo), now)
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    keys,
    others,
    directory: directory.path,
    secrets,
    store,
    box,
    async close() {
      await server.close()
      await store.close()
      await directory.remove()
    },
  }
}

/** A whole server for one test, with real sockets, a real database and one registered domain. */
export async function runningServer(options: TestServerOptions = {}): Promise<TestServer> {
  const server = await startTestServer(options)
  onTestFinished(server.close)
  return server
}

/** Posts one identification like a page of the domain. */
export function postSnapshot(
  { url, keys }: Pick<TestServer, 'url' | 'keys'>,
  requestId: string,
  body: string | Uint8Array<ArrayBuffer> = '{}',
  headers: Record<string, string> = {},
): Promise<Response> {
  return fetch(`${url}/snapshot/${requestId}?publicKey=${keys.public_key}`, {
    method: 'POST',
    headers: { origin: `https://${keys.domain}`, ...headers },
    body,
  })
}

export const getHistory = (
  { url, keys }: Pick<TestServer, 'url' | 'keys'>,
  path: string,
): Promise<Response> =>
  fetch(`${url}/api/v1/history/${path}`, { headers: { authorization: `Bearer ${keys.api_key}` } })
