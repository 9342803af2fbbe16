import { readFile } from 'node:fs/promises'
import { createSecureContext } from 'node:tls'
import { fileURLToPath } from 'node:url'
import type { Logger } from 'pino'
import type { z } from 'zod'
import { AGENTS_PUBLIC, readCatalogue } from '../enrich/agents/catalogue.ts'
import { FEEDS_PUBLIC } from '../enrich/feeds/feed.ts'
import { createProxyCheck } from '../ingest/client-address.ts'
import { AppError } from '../lib/errors.ts'
import { throttledLog } from '../lib/log.ts'
import type { RepeatedTasks } from '../lib/repeat.ts'
import {
  type ObjectStorage,
  type ObjectStorageOptions,
  openObjectStorage,
} from '../store/cold/object-storage.ts'
import type { DiskBudgetOptions } from '../store/disk-budget.ts'
import type { StoreOptions } from '../store/open-store.ts'
import { listOf, Settings } from './settings.ts'

export type Config = z.output<typeof Settings>

/**
 * Reads every setting. An empty variable counts as unset, as in a compose file with `PORT=`.
 * @throws AppError `INK_CONFIG` with every problem
 */
export function readConfig(environment: Environment): Config {
  const { config, problems } = parse(environment)
  if (!config || problems.length > 0) throw wrongSettings(problems)
  return config
}

/**
 * Reads every setting for the server, with the files that settings name.
 * @throws AppError `INK_CONFIG` with every problem
 */
export async function readServerConfig(environment: Environment): Promise<Config> {
  const { config, problems } = parse(environment)
  const {
    FEEDS = FEEDS_PUBLIC,
    AGENTS = AGENTS_PUBLIC,
    TRUST_PROXY = '',
    TLS_CERT,
    TLS_KEY,
  } = given(environment)
  // Only here, because its parsers take longer to load than most commands run.
  const { readFeeds } = await import('../enrich/feeds/read-feeds.ts')
  const found = await Promise.all([
    problemOf(() => readFeeds(FEEDS)),
    problemOf(() => readCatalogue(AGENTS)),
    ...listOf(TRUST_PROXY).map((entry) => problemOf(() => createProxyCheck([entry]))),
    problemOf(async () => {
      if (TLS_CERT === undefined || TLS_KEY === undefined) return
      const [cert, key] = await Promise.all([readFile(TLS_CERT), readFile(TLS_KEY)])
      createSecureContext({ cert, key })
    }, 'TLS_CERT and TLS_KEY: '),
  ])
  const all = [...problems, ...found.flat()]
  if (!config || all.length > 0) throw wrongSettings(all)
  return config
}

type Environment = Record<string, string | undefined>

const given = (environment: Environment): Environment =>
  Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ''))

function parse(environment: Environment): { config: Config | undefined; problems: string[] } {
  const values = given(environment)
  const { data, error } = Settings.safeParse(values)
  const problems = (error?.issues ?? []).map(({ path, message }) => `${path.join('.')}: ${message}`)
  if (data?.ADMIN_PORT !== undefined && data.ADMIN_PORT !== 0 && data.ADMIN_PORT === data.PORT)
    problems.push('ADMIN_PORT: must differ from PORT; leave it unset to have everything on PORT')
  if ((values.TLS_CERT === undefined) !== (values.TLS_KEY === undefined))
    problems.push('TLS_CERT and TLS_KEY: set both or neither')
  if ((values.SMTP_URL === undefined) !== (values.ALERT_MAIL_FROM === undefined))
    problems.push('SMTP_URL and ALERT_MAIL_FROM: set both or neither')
  const provider = [values.OIDC_ISSUER, values.OIDC_CLIENT_ID, values.OIDC_CLIENT_SECRET]
  if (new Set(provider.map((value) => value === undefined)).size > 1)
    problems.push('OIDC_ISSUER, OIDC_CLIENT_ID and OIDC_CLIENT_SECRET: set all or none')
  const cold = [values.COLD_STORAGE_URL, values.COLD_STORAGE_KEY_ID, values.COLD_STORAGE_SECRET]
  if (new Set(cold.map((value) => value === undefined)).size > 1)
    problems.push('COLD_STORAGE_URL, COLD_STORAGE_KEY_ID and COLD_STORAGE_SECRET: set all or none')
  return { config: data, problems }
}

async function problemOf(run: () => unknown, prefix = ''): Promise<string[]> {
  try {
    await run()
    return []
  } catch (error) {
    return [`${prefix}${error instanceof Error ? error.message : String(error)}`]
  }
}

const wrongSettings = (problems: readonly string[]): AppError =>
  new AppError('INK_CONFIG', `settings are wrong:\n  ${problems.join('\n  ')}`)

/** The compiled network data of the build. */
export const ASN_FILE = fileURLToPath(new URL('../../data/asn.bin', import.meta.url))

/** What every part of the server gets when it is opened. */
export interface ServerContext {
  config: Config
  urls: PublicUrls
  log: Logger
  warn(message: string, error: unknown): void
  /** Unix milliseconds. */
  now(): number
  /** Takes what has to be closed; it closes in reverse order. */
  opened: AsyncDisposableStack
  /** Everything that runs at an interval over what is stored. */
  tasks: RepeatedTasks
}

/** A failure that repeats, as in an outage of the database, is logged this often. */
export const FAILURE_LOG_INTERVAL_MS = 10_000

/** Logs a failure that repeats now and then. */
export const logFailure = ({ log }: ServerContext, failure: string) =>
  throttledLog<unknown>(FAILURE_LOG_INTERVAL_MS, (err, times) => log.warn({ err, times }, failure))

/** Where the database is, and the bodies of old rows. */
export const storePlace = (
  config: Config,
  requested?: ObjectStorageOptions['requested'],
): StoreOptions & { cold: ObjectStorage | undefined } => ({
  dataDir: config.DATA_DIR,
  databaseUrl: config.DATABASE_URL,
  cold: coldStorage(config, requested),
})

function coldStorage(
  { COLD_STORAGE_URL: url, COLD_STORAGE_REGION: region, ...config }: Config,
  requested: ObjectStorageOptions['requested'],
): ObjectStorage | undefined {
  const { COLD_STORAGE_KEY_ID: keyId, COLD_STORAGE_SECRET: secret } = config
  if (url === undefined || keyId === undefined || secret === undefined) return undefined
  return openObjectStorage({ url, region, keyId, secret }, { requested })
}

/** How much disk visits may take. */
export const diskBudgetOptions = ({ DISK_BUDGET_MB, DISK_FREE_MB }: Config): DiskBudgetOptions => ({
  budgetBytes: DISK_BUDGET_MB * 1_000_000,
  freeBytes: DISK_FREE_MB * 1_000_000,
})

/** The four public base URLs; by default, the port on localhost. */
export interface PublicUrls {
  history: string
  management: string
  ingest: string
  agent: string
}

export function publicUrls(config: Config): PublicUrls {
  const localUrl = (port: number) => `${config.TLS_CERT === undefined ? 'http' : 'https'}://localhost:${port}`
  const local = localUrl(config.PORT)
  return {
    history: config.HISTORY_URL ?? local,
    management: config.MANAGEMENT_URL ?? localUrl(config.ADMIN_PORT ?? config.PORT),
    ingest: config.INGEST_URL ?? local,
    agent: config.AGENT_URL ?? local,
  }
}

export interface SettingDoc {
  name: string
  /** As in an environment variable; empty when there is none. */
  default: string
  meaning: string
}

/** The settings, for `docs/configuration.md`. */
export const settingDocs = (): SettingDoc[] =>
  Object.entries(Settings.shape).map(([name, schema]) => {
    const fallback = schema.safeParse(undefined).data
    return {
      name,
      default: fallback === undefined || Array.isArray(fallback) ? '' : String(fallback),
      meaning: schema.description ?? '',
    }
  })
