import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { freePort } from '../../src/lib/free-port.ts'
import type { Certificates } from './certificates.ts'
import { type Forwarder, openForwarder } from './forwarder.ts'
import type { Site } from './site.ts'

/**
 * `tls` speaks HTTPS and HTTP/2 itself; `plain` HTTP; `firstParty` is behind the shop's own server, under a path; the
 * clock of `ahead` is three years ahead of the visitors'.
 */
export type InstallationName = 'tls' | 'plain' | 'firstParty' | 'ahead'

export interface DomainKeys {
  domain: string
  public_key: string
  api_key: string
}

export interface ServerSettings {
  environment: Record<string, string>
  domains: readonly string[]
  webhookUrl: string
  aheadMs: number
}

export interface ServerTask {
  aheadMs: number
}

/** An Inkling with its database and the way to it. */
export interface Installation {
  name: InstallationName
  networkCheck: boolean
  /** Base URL of the server itself, for the customer. */
  ownUrl: string
  /** Public base URL of agent and ingest, for browsers. */
  url: string
  /** The same for scripts, which cannot all be told an address for a name. */
  scriptUrl: string
  forwarder: Forwarder
  keysOf(domain: string): DomainKeys
  /** Moves the server's clock forwards. */
  pass(durationMs: number): Promise<void>
  close(): Promise<void>
}

export const SHOP = 'shop.example'
/** Another domain of the same installation. */
export const BLOG = 'blog.example'
/** Below it, the shop's server passes requests on to Inkling. */
export const FIRST_PARTY_PATH = '/assets/i'
const PROGRAM = fileURLToPath(new URL('server-program.ts', import.meta.url))
const YEAR_MS = 365 * 86_400_000
const HOST = 'inkling.example'

export async function openInstallation(
  name: InstallationName,
  { certificates, site, networkCheck }: { certificates: Certificates; site: Site; networkCheck: boolean },
): Promise<Installation> {
  const tls = name === 'tls' || name === 'ahead'
  const scheme = tls ? 'https' : 'http'
  const port = await freePort()
  const forwarder = await openForwarder(port, tls ? certificates : undefined)
  const url =
    name === 'firstParty' ? `${site.origin}${FIRST_PARTY_PATH}` : `${scheme}://${HOST}:${forwarder.port}`
  if (name === 'firstParty') site.inkling = { port, visitorAddress: () => forwarder.address }

  const folder = await mkdtemp(join(tmpdir(), 'inkling-forgery-'))
  let aheadMs = name === 'ahead' ? 3 * YEAR_MS : 0
  const settings: ServerSettings = {
    environment: {
      PORT: String(port),
      DATA_DIR: folder,
      INGEST_URL: url,
      AGENT_URL: url,
      HISTORY_URL: url,
      MANAGEMENT_URL: url,
      FEEDS: 'off',
      DEMO: 'off',
      TURN_PORT: networkCheck ? String(await freePort()) : 'off',
      TURN_HOST: HOST,
      FOLLOW_UP_SECONDS: '5',
      INGEST_LIMIT_PER_MINUTE: '100000',
      HISTORY_LIMIT_PER_SECOND: '1000',
      WEBHOOK_ALLOW_PRIVATE: 'true',
      LOG_LEVEL: 'warn',
      ...(tls && { TLS_CERT: certificates.certFile, TLS_KEY: certificates.keyFile }),
      ...(name === 'firstParty' && { TRUST_PROXY: '127.0.0.1/32' }),
    },
    domains: [SHOP, BLOG],
    webhookUrl: site.webhookUrl,
    aheadMs,
  }
  const server = fork(PROGRAM, [JSON.stringify(settings)], { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] })
  const keys = (await answerOf(server)) as DomainKeys[]
  return {
    name,
    networkCheck,
    ownUrl: `${scheme}://127.0.0.1:${port}${new URL(url).pathname.replace(/\/$/, '')}`,
    url,
    scriptUrl: `${scheme}://localhost:${forwarder.port}`,
    forwarder,
    keysOf(domain) {
      const found = keys.find((known) => known.domain === domain)
      if (!found) throw new Error(`no domain ${domain}`)
      return found
    },
    async pass(durationMs) {
      aheadMs += durationMs
      const task: ServerTask = { aheadMs }
      server.send(task)
      await answerOf(server)
    },
    async close() {
      forwarder.close()
      const exited = once(server, 'exit')
      server.disconnect()
      await exited
      await rm(folder, { recursive: true, force: true, maxRetries: 5 })
    },
  }
}

async function answerOf(server: ChildProcess): Promise<unknown> {
  const over = new AbortController()
  const { signal } = over
  const ended = once(server, 'exit', { signal }).then(() => Promise.reject(new Error('the server ended')))
  try {
    const [message] = await Promise.race([once(server, 'message', { signal }), ended])
    return message
  } finally {
    over.abort()
    ended.catch(() => undefined)
  }
}
