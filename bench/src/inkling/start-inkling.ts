import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { StoreOptions } from '../../../packages/server/src/store/open-store.ts'
import { type Child, startNode } from '../lib/child.ts'
import { freePort } from '../lib/free-port.ts'

const CLI = fileURLToPath(new URL('../../../packages/server/src/cli/inkling.ts', import.meta.url))

export interface RunningInkling extends Child {
  port: number
}

export interface StartOptions {
  /** Arguments of Node, such as `--cpu-prof`. */
  nodeOptions?: readonly string[]
  /** Settings that extend or override those of all benchmarks. */
  settings?: Readonly<Record<string, string>>
  /** The command line of another release. */
  cli?: string
  /** A free port by default. */
  port?: number
}

const environment = ({ dataDir, databaseUrl }: StoreOptions): NodeJS.ProcessEnv => ({
  ...process.env,
  DATA_DIR: dataDir,
  DATABASE_URL: databaseUrl ?? '',
  WEBHOOK_ALLOW_PRIVATE: 'true',
  // Visits have addresses worldwide, forwarded by a proxy on this machine.
  TRUST_PROXY: '127.0.0.1/32',
  INGEST_LIMIT_PER_MINUTE: '1000000000',
  HISTORY_LIMIT_PER_SECOND: '1000000',
  // Off by default, so that background work does not distort the measurement.
  FEEDS: process.env.FEEDS ?? 'off',
  TURN_PORT: process.env.TURN_PORT ?? 'off',
  LOG_LEVEL: 'warn',
})

export async function startInkling(
  place: StoreOptions,
  { nodeOptions = [], settings = {}, cli = CLI, port }: StartOptions = {},
): Promise<RunningInkling> {
  const own = port ?? (await freePort())
  const child = await startNode([...nodeOptions, cli, 'serve'], /^listening on http/, {
    ...environment(place),
    ...settings,
    PORT: String(own),
  })
  return { ...child, port: own }
}

export interface DomainKeys {
  domain: string
  public_key: string
  secret_key: string
  api_key: string
}

export const addDomain = (place: StoreOptions, domain: string, cli = CLI): Promise<DomainKeys> =>
  command<DomainKeys>(place, cli, 'domain', 'add', domain)

export const addWebhook = (
  place: StoreOptions,
  domain: string,
  url: string,
  cli = CLI,
): Promise<{ id: number }> => command<{ id: number }>(place, cli, 'webhook', 'add', domain, url)

/** Runs a command line of this release. @returns what it prints */
export const runInkling = (place: StoreOptions, ...argv: string[]): Promise<unknown> =>
  command(place, CLI, ...argv)

async function command<Printed>(place: StoreOptions, cli: string, ...argv: string[]): Promise<Printed> {
  const { stdout } = await promisify(execFile)(process.execPath, [cli, ...argv, '--json'], {
    env: environment(place),
  })
  return JSON.parse(stdout) as Printed
}
