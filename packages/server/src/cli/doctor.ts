import type { X509Certificate } from 'node:crypto'
import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { connect } from 'node:tls'
import { Command } from 'commander'
import { Agent, request } from 'undici'
import { openServerSecrets } from '../auth/server-secrets.ts'
import { checkCertificate } from '../composition/certificate-check.ts'
import { ASN_FILE, type Config, diskBudgetOptions, readConfig, storePlace } from '../composition/config.ts'
import { feedPlace } from '../composition/feed-place.ts'
import {
  check,
  checkColdStorage,
  checkNodes,
  checkValkey,
  type InstallationCheck,
} from '../composition/installation-check.ts'
import { checkInstallation } from '../composition/running-state.ts'
import { openIpDatabase } from '../enrich/ip/ip-facts.ts'
import { DATABASE_FILE } from '../store/data-dir.ts'
import { openDiskBudget } from '../store/disk-budget.ts'
import { domainStore } from '../store/domains/domains.ts'
import { openPostgres } from '../store/postgres/open-postgres.ts'
import { checkFiles } from '../store/sqlite/check-parts.ts'
import { openSqlite } from '../store/sqlite/open-sqlite.ts'
import type { Store } from '../store/store.ts'
import { isJson, print } from './command-line.ts'
import { withFeeds } from './feeds.ts'

/**
 * `inkling doctor`: checks that this installation works, and says what is missing. It makes no database, but migrates one of an
 * older release.
 */
export function doctorCommand(): Command {
  return new Command('doctor')
    .description('check that this installation works; fails when a check fails')
    .action(async (_options, self: Command) => {
      const checks = await runChecks(readConfig(process.env))
      print(checks, isJson(self))
      if (checks.some(({ ok }) => !ok)) process.exitCode = 1
    })
}

async function runChecks(config: Config): Promise<InstallationCheck[]> {
  const [installation, certificate, database, valkey, ...others] = await Promise.all([
    checkInstallation({
      dataDir: config.DATA_DIR,
      trustProxy: config.TRUST_PROXY,
      changeFeed: feedPlace(config),
      // Opened inside the check, which then reports missing data.
      lookUpIp: (address) => openIpDatabase({ asnFile: ASN_FILE }).lookUp(address),
    }),
    checkUsedCertificate(config),
    checkDatabase(config),
    checkValkey(config.VALKEY_URL),
    check('feeds', () => checkFeeds(config)),
    check('server', () => checkServer(config)),
  ])
  return [...installation, ...certificate, ...database, ...valkey, ...others]
}

/** The database, the storage that it needs for what it does not have, and the nodes that share it. */
async function checkDatabase(config: Config): Promise<InstallationCheck[]> {
  let others: InstallationCheck[] = []
  const database = await check('database', () =>
    withDatabase(config, async (store) => {
      const nodes = await checkNodes(store, config.NODE_ADDRESS, Date.now())
      others = [...(await checkColdStorage(store)), ...nodes]
      return describeDatabase(config, store)
    }),
  )
  return [database, ...others]
}

/** Opens a database that exists, and never makes one. */
async function withDatabase<Result>(config: Config, run: (store: Store) => Promise<Result>): Promise<Result> {
  const { DATA_DIR, DATABASE_URL } = config
  const file = join(DATA_DIR, DATABASE_FILE)
  if (DATABASE_URL === undefined) {
    await checkFiles(DATA_DIR)
    if (!existsSync(file))
      throw new Error(`there is no ${resolve(file)}; correct DATA_DIR, or start the server, which makes it`)
  }
  const store = await (DATABASE_URL === undefined
    ? openSqlite(DATA_DIR)
    : openPostgres({ url: DATABASE_URL, dataDir: DATA_DIR, warn: () => {} }))
  try {
    return await run({ ...store, cold: storePlace(config).cold })
  } finally {
    await store.close()
  }
}

async function describeDatabase(config: Config, store: Store): Promise<string> {
  const database = await store.check()
  await openServerSecrets(store.secrets)
  const domains = await domainStore(store.reads).list()
  const { limits } = await openDiskBudget(store, diskBudgetOptions(config))
  const full = limits().filter(({ state }) => state === 'full')
  if (full.length > 0)
    throw new Error(`visits are refused, because there is no room: ${full.map(({ of }) => of).join(', ')}`)
  return `${database}, ${domains.length} ${domains.length === 1 ? 'domain' : 'domains'}`
}

async function checkFeeds({ DATA_DIR, FEEDS }: Config): Promise<string> {
  const statuses = await withFeeds((feeds) => Promise.resolve(feeds.status()))
  if (statuses.length === 0) return `FEEDS is ${FEEDS}`
  const empty = statuses.filter(({ rows }) => rows === 0).map(({ feed }) => feed)
  if (empty.length > 0)
    throw new Error(`without rows in ${DATA_DIR}: ${empty.join(', ')}; run inkling feeds update to see why`)
  return `${statuses.length} with rows`
}

const checkUsedCertificate = async (config: Config): Promise<InstallationCheck[]> =>
  checkCertificate({ file: config.TLS_CERT, inUse: await shownCertificate(config), nowMs: Date.now() })

/** What the server on this machine uses since its start; undefined where none answers, which its own check tells. */
const shownCertificate = ({ HOST, PORT, TLS_CERT }: Config): Promise<X509Certificate | undefined> =>
  new Promise((done) => {
    if (TLS_CERT === undefined) return done(undefined)
    // The certificate is for the public host name.
    const options = { host: hostHere(HOST), port: PORT, rejectUnauthorized: false, timeout: ANSWER_WITHIN_MS }
    const socket = connect(options)
    const end = (shown?: X509Certificate) => {
      socket.destroy()
      done(shown)
    }
    socket.once('secureConnect', () => end(socket.getPeerX509Certificate()))
    socket.once('error', () => end())
    socket.once('timeout', () => end())
  })

/** Asks the server on this machine, which its public URLs may not reach. */
async function checkServer({ HOST, PORT, TLS_CERT }: Config): Promise<string> {
  const host = hostHere(HOST)
  const scheme = TLS_CERT === undefined ? 'http' : 'https'
  const url = `${scheme}://${host.includes(':') ? `[${host}]` : host}:${PORT}/health`
  // The certificate is for the public host name.
  const dispatcher = new Agent({ connect: { rejectUnauthorized: false } })
  try {
    const { statusCode } = await request(url, { dispatcher, signal: AbortSignal.timeout(ANSWER_WITHIN_MS) })
    if (statusCode !== 200) throw new Error(`answers ${statusCode}`)
    return `${url} answers`
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new Error(`no server at ${url} (${reason})`, { cause })
  } finally {
    await dispatcher.destroy()
  }
}

const hostHere = (host: string): string => (EVERY_ADDRESS.includes(host) ? '127.0.0.1' : host)

const EVERY_ADDRESS = ['0.0.0.0', '::']
const ANSWER_WITHIN_MS = 2_000
