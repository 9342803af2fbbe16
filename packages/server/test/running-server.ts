import { onTestFinished } from 'vitest'
import { type DomainKeys, registerDomain } from '../src/auth/register-domain.ts'
import { openServerSecrets } from '../src/auth/server-secrets.ts'
import { readConfig } from '../src/config.ts'
import { addEndpoint } from '../src/deliver/webhook-endpoints.ts'
import { freePort } from '../src/lib/free-port.ts'
import { createLog } from '../src/lib/log.ts'
import { createSecretBox } from '../src/lib/secret-box.ts'
import { startServer } from '../src/main.ts'
import { domainStore } from '../src/store/domains.ts'
import { openStore } from '../src/store/open-store.ts'
import { temporaryDirectory } from './temporary-store.ts'

export interface TestServer {
  url: string
  keys: DomainKeys
  directory: string
  /** Signing secrets, in the order of the endpoints that were asked for. */
  secrets: string[]
}

export interface TestServerOptions {
  domain?: string
  /** Webhook endpoints of the domain. */
  endpoints?: readonly string[]
  settings?: Record<string, string>
}

/** A whole server of its own for one test: real sockets, real database, one registered domain. */
export async function runningServer({
  domain = 'shop.example',
  endpoints = [],
  settings = {},
}: TestServerOptions = {}): Promise<TestServer> {
  const directory = await temporaryDirectory()
  const box = createSecretBox((await openServerSecrets(directory)).secret_box_key)
  const store = await openStore(directory)
  const keys = await registerDomain(store, domain, Date.UTC(2026, 0))
  if (!keys) throw new Error('the domain could not be registered')
  const row = await domainStore(store.reads).find(domain)
  const secrets: string[] = []
  for (const endpoint of endpoints)
    secrets.push((await addEndpoint(store, box, row?.id ?? 0, endpoint, Date.now())).secret)
  await store.close()

  const port = await freePort('127.0.0.1')
  const config = readConfig({
    PORT: String(port),
    DATA_DIR: directory,
    WEBHOOK_ALLOW_PRIVATE: 'true',
    LOG_LEVEL: 'warn',
    ...settings,
  })
  const server = await startServer(config, createLog(config.LOG_LEVEL))
  onTestFinished(() => server.close())
  return { url: `http://127.0.0.1:${port}`, keys, directory, secrets }
}

/** Posts one identification as a page of the domain would. */
export function postSnapshot(
  { url, keys }: TestServer,
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

export const getHistory = ({ url, keys }: TestServer, path: string): Promise<Response> =>
  fetch(`${url}/api/v1/history/${path}`, { headers: { authorization: `Bearer ${keys.api_key}` } })
