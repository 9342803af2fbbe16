import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { type DomainKeys, registerDomain } from '../../src/auth/register-domain.ts'
import { openServerSecrets } from '../../src/auth/server-secrets.ts'
import { addEndpoint } from '../../src/deliver/webhook-endpoints.ts'
import { createSecretBox } from '../../src/lib/secret-box.ts'
import { domainStore } from '../../src/store/domains/domains.ts'
import { openStore } from '../../src/store/open-store.ts'
import { selfSignedCertificate } from '../self-signed-certificate.ts'
import { type Customer, openCustomer } from './customer.ts'
import { first, type Namespace, openNamespace } from './namespace.ts'

export const SERVICE_ADDRESS = '10.77.0.1'
export const SHOP = 'shop.example'
const SERVICE_HOST = `inkling.${SHOP}`
/** The port of Inkling and of the proxy in front of it. */
export const PORT = 8080
const HOOK_PORT = 9000
const CLI = fileURLToPath(new URL('../../bin/inkling.js', import.meta.url))

export interface Service {
  namespace: Namespace
  customer: Customer
  keys: DomainKeys
  /** The shop's URL for visitors. */
  shopUrl: string
  /** Inkling's URL for visitors. */
  url: string
  close(): Promise<void>
}

export interface ServiceOptions {
  tls?: boolean
  settings?: Record<string, string>
}

/** Inkling as an operator runs it, and a customer, on one machine. */
export async function startService({ tls = false, settings = {} }: ServiceOptions = {}): Promise<Service> {
  const namespace = await openNamespace(SERVICE_ADDRESS)
  const { directory } = namespace
  try {
    const keys = await registerShop(directory)
    const files = tls ? await certificateIn(directory) : undefined
    const scheme = tls ? 'https' : 'http'
    const url = `${scheme}://${SERVICE_HOST}:${PORT}`
    await serve(namespace, {
      HOST: '0.0.0.0',
      PORT: String(PORT),
      DATA_DIR: directory,
      INGEST_URL: url,
      AGENT_URL: url,
      TURN_HOST: SERVICE_ADDRESS,
      WEBHOOK_ALLOW_PRIVATE: 'true',
      LOG_LEVEL: 'warn',
      FEEDS: 'off',
      ...(files && { TLS_CERT: files.certFile, TLS_KEY: files.keyFile }),
      ...settings,
    })
    const customer = await openCustomer(namespace, {
      agentUrl: url,
      historyUrl: `${scheme}://localhost:${PORT}`,
      publicKey: keys.public_key,
      apiKey: keys.api_key,
      hookPort: HOOK_PORT,
      certFile: files?.certFile,
      keyFile: files?.keyFile,
    })
    return { namespace, customer, keys, url, shopUrl: `${scheme}://${SHOP}/`, close: namespace.close }
  } catch (error) {
    await namespace.close()
    throw error
  }
}

async function registerShop(directory: string): Promise<DomainKeys> {
  const store = await openStore({ dataDir: directory })
  const box = createSecretBox((await openServerSecrets(store.secrets)).secret_box_key)
  try {
    const keys = await registerDomain(store, SHOP, Date.now())
    const row = await domainStore(store.reads).find(SHOP)
    if (!keys || !row) throw new Error('the shop could not be registered')
    await addEndpoint(store, box, row.id, `http://127.0.0.1:${HOOK_PORT}/`, Date.now())
    return keys
  } finally {
    await store.close()
  }
}

async function certificateIn(directory: string): Promise<{ certFile: string; keyFile: string }> {
  const { cert, key } = await selfSignedCertificate()
  const files = { certFile: join(directory, 'test-cert.pem'), keyFile: join(directory, 'test-key.pem') }
  await Promise.all([writeFile(files.certFile, cert), writeFile(files.keyFile, key, { mode: 0o600 })])
  return files
}

async function serve(namespace: Namespace, env: Record<string, string>): Promise<void> {
  const program = namespace.start(process.execPath, [CLI, 'serve'], {
    // The environment of the tests must not change the settings.
    env: { PATH: process.env.PATH, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  if (program.stdout) await first(program, listening(program.stdout))
}

/** Resolves once the server listens; its earlier output is skipped. */
async function listening(stdout: Readable): Promise<void> {
  for await (const line of createInterface(stdout)) if (line.startsWith('listening on ')) return
}
