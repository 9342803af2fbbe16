import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { type Child, startNode } from '../lib/child.ts'
import { freePort } from '../lib/free-port.ts'

const CLI = fileURLToPath(new URL('../../../packages/server/src/cli/inkling.ts', import.meta.url))

export interface RunningInkling extends Child {
  port: number
}

const settings = (dataDir: string): NodeJS.ProcessEnv => ({
  ...process.env,
  DATA_DIR: dataDir,
  WEBHOOK_ALLOW_PRIVATE: 'true',
  // Visits come from everywhere, by way of a proxy on this machine.
  TRUST_PROXY: '127.0.0.1/32',
  INGEST_LIMIT_PER_MINUTE: '1000000000',
  HISTORY_LIMIT_PER_SECOND: '1000000',
  // Measured on its own, whatever else runs on this machine, unless a benchmark says otherwise.
  FEEDS: process.env.FEEDS ?? 'off',
  TURN_PORT: process.env.TURN_PORT ?? 'off',
  LOG_LEVEL: 'warn',
})

/** @param nodeOptions such as `--cpu-prof` */
export async function startInkling(
  dataDir: string,
  nodeOptions: readonly string[] = [],
): Promise<RunningInkling> {
  const port = await freePort()
  const child = await startNode([...nodeOptions, CLI, 'serve'], /^listening on http/, {
    ...settings(dataDir),
    PORT: String(port),
  })
  return { ...child, port }
}

export interface DomainKeys {
  domain: string
  public_key: string
  api_key: string
}

export const addDomain = (dataDir: string, domain: string): Promise<DomainKeys> =>
  command<DomainKeys>(dataDir, 'domain', 'add', domain)

export const addWebhook = (dataDir: string, domain: string, url: string): Promise<{ id: number }> =>
  command<{ id: number }>(dataDir, 'webhook', 'add', domain, url)

async function command<Printed>(dataDir: string, ...argv: string[]): Promise<Printed> {
  const { stdout } = await promisify(execFile)(process.execPath, [CLI, ...argv, '--json'], {
    env: settings(dataDir),
  })
  return JSON.parse(stdout) as Printed
}
