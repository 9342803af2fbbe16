import { access, constants, readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { Command } from 'commander'
import { sql } from 'kysely'
import { openServerSecrets } from '../auth/server-secrets.ts'
import { type Config, publicUrls, readConfig } from '../config.ts'
import { openIpDatabase } from '../enrich/ip/ip-facts.ts'
import { createClientAddress } from '../ingest/client-address.ts'
import { domainStore } from '../store/domains.ts'
import { openStore } from '../store/open-store.ts'
import { isJson } from './options.ts'
import { print } from './print.ts'

const NODE_MAJOR_MIN = 26
const ASN_FILE = fileURLToPath(new URL('../../data/asn.bin', import.meta.url))
const AGENT_SCRIPT = new URL('../../../agent/dist/agent.js', import.meta.url)

interface Check {
  check: string
  ok: boolean
  detail: string
}

/** `inkling doctor`: whether this installation can do its work, and what is missing. */
export function doctorCommand(): Command {
  return new Command('doctor')
    .description('check this installation')
    .action(async (_options, self: Command) => {
      const checks = await runChecks(readConfig(process.env))
      print(checks, isJson(self))
      if (checks.some(({ ok }) => !ok)) process.exitCode = 1
    })
}

async function runChecks(config: Config): Promise<Check[]> {
  return Promise.all([
    check('node', () => {
      const major = Number(process.versions.node.split('.', 1)[0])
      if (major < NODE_MAJOR_MIN) throw new Error(`${process.version} is older than ${NODE_MAJOR_MIN}`)
      return process.version
    }),
    check('data directory', async () => {
      await openServerSecrets(config.DATA_DIR)
      await access(config.DATA_DIR, constants.W_OK)
      return config.DATA_DIR
    }),
    check('database', () => checkDatabase(config)),
    check('trusted proxies', () => {
      createClientAddress(config.TRUST_PROXY)
      return config.TRUST_PROXY.join(', ') || 'none'
    }),
    check('agent', async () => `${(await readFile(AGENT_SCRIPT)).byteLength} bytes`),
    check('address data', () => {
      const { country } = openIpDatabase({ asnFile: ASN_FILE }).lookUp('8.8.8.8')
      if (country === '') throw new Error('a well-known address was not found')
      return 'country and network'
    }),
    check('server', () => checkServer(config)),
  ])
}

async function check(name: string, run: () => string | Promise<string>): Promise<Check> {
  try {
    return { check: name, ok: true, detail: await run() }
  } catch (error) {
    return { check: name, ok: false, detail: error instanceof Error ? error.message : String(error) }
  }
}

async function checkDatabase(config: Config): Promise<string> {
  const store = await openStore(config.DATA_DIR)
  try {
    const { rows } = await sql<{ quick_check: string }>`pragma quick_check(1)`.execute(store.reads)
    if (rows[0]?.quick_check !== 'ok') throw new Error(rows[0]?.quick_check ?? 'no answer')
    const domains = await domainStore(store.reads).list()
    return `embedded, ${domains.length} domains`
  } finally {
    await store.close()
  }
}

/** Not running is no fault of the installation. */
async function checkServer(config: Config): Promise<string> {
  const url = `${publicUrls(config).history}/health`
  try {
    const answer = await fetch(url, { signal: AbortSignal.timeout(2_000) })
    return `${url} answers ${answer.status}`
  } catch {
    return `nothing answers at ${url}`
  }
}
