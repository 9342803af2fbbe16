import { fileURLToPath } from 'node:url'
import type { Logger } from 'pino'
import { z } from 'zod'
import { FEEDS_PUBLIC } from '../enrich/feeds/read-feeds.ts'
import { AppError } from '../lib/errors.ts'
import type { StoreOptions } from '../store/open-store.ts'

const flag = (fallback: boolean) =>
  z
    .enum(['true', 'false'])
    .transform((text) => text === 'true')
    .default(fallback)
const count = (fallback: number, least = 0) => z.coerce.number().int().min(least).default(fallback)
const baseUrl = z
  .url({ protocol: /^https?$/ })
  .transform((text) => text.replace(/\/+$/, ''))
  .optional()

const Settings = z.object({
  HOST: z.string().default('127.0.0.1').describe('Address it listens on'),
  PORT: z.coerce.number().int().min(0).max(65_535).default(8080).describe('Port it listens on; 0 takes any'),
  DATA_DIR: z.string().default('./data').describe('Embedded database, feeds and generated secrets'),
  DATABASE_URL: z
    .url({ protocol: /^postgres(ql)?$/ })
    .optional()
    .describe(
      '`postgres://…`: PostgreSQL 15 or newer instead of the embedded database, for any number of nodes',
    ),
  SERVICE_NAME: z
    .string()
    .regex(/^[A-Za-z0-9-]{1,32}$/, 'letters, digits and - only')
    .default('Svc')
    .describe('Short name in header names: `X-Svc-Signature`'),
  HISTORY_URL: baseUrl.describe(
    'Public base URL of the History API; default `http://localhost:PORT`. Where the hosts of the four differ, requests are routed by Host',
  ),
  MANAGEMENT_URL: baseUrl.describe('Public base URL of the Management API; same default'),
  INGEST_URL: baseUrl.describe('Public base URL that receives identifications; same default'),
  AGENT_URL: baseUrl.describe('Public base URL that serves the agent; same default'),
  TRUST_PROXY: z
    .string()
    .default('')
    .transform((list) =>
      list
        .split(',')
        .map((entry) => entry.trim())
        .filter(Boolean),
    )
    .describe(
      'CIDRs of proxies whose `X-Forwarded-For` or PROXY protocol header is believed; from anyone else it is ignored',
    ),
  INGEST_LIMIT_PER_MINUTE: count(60, 1).describe(
    'Identifications that one visitor address may send in a minute',
  ),
  INGEST_BLOCK_MINUTES: count(10).describe('How long the one over that limit blocks the address'),
  HISTORY_LIMIT_PER_SECOND: count(15, 1).describe('History requests of one domain in a second'),
  MANAGEMENT_LIMIT_PER_MINUTE: count(15, 1).describe('Management requests of one client address in a minute'),
  MANAGEMENT_BLOCK_MINUTES: count(10).describe('How long the one over that limit blocks the address'),
  FEEDS: z
    .string()
    .default(FEEDS_PUBLIC)
    .describe(
      'Lists of addresses that are kept fresh: `public`, `off`, or a JSON file that lists feeds, whose sources may be `file://`',
    ),
  FOLLOW_UP_SECONDS: z.coerce
    .number()
    .int()
    .min(0)
    .max(30)
    .default(10)
    .describe('How long follow-up checks may hold the final score and its event; 0 runs none'),
  TURN_PORT: z
    .union([z.literal('off'), z.coerce.number().int().min(0).max(65_535)])
    .default(3478)
    .describe(
      'Port of the network check responder, UDP and TCP; `off` disables it. Visitors must reach it directly',
    ),
  TURN_HOST: z
    .string()
    .optional()
    .describe('Host name under which visitors reach the responder; default the host of `INGEST_URL`'),
  TLS_CERT: z
    .string()
    .optional()
    .describe('PEM file with the certificate chain: serve HTTPS itself, which adds TLS evidence'),
  TLS_KEY: z.string().optional().describe('PEM file with the key of that certificate'),
  WEBHOOK_RETRIES: z.coerce
    .number()
    .int()
    .min(0)
    .max(7)
    .default(0)
    .describe('Sends after a failed first one, seven at the most; events then carry an ID'),
  WEBHOOK_ALLOW_PRIVATE: flag(false).describe(
    'Whether endpoints may resolve to loopback or private addresses',
  ),
  STOP_SECONDS: count(8, 1).describe(
    'How long a stop may take; requests that have not ended after half of it are cut off. What is then left is taken up by the next start',
  ),
  RETENTION_DAYS: count(90).describe('Older identifications are removed; 0 keeps them'),
  STORE_SNAPSHOTS: flag(true).describe('Keep the raw, compressed fingerprint for re-scoring'),
  METRICS_PORT: z
    .union([z.literal('off'), z.coerce.number().int().min(1).max(65_535)])
    .default('off')
    .describe('Port of `GET /metrics` for Prometheus, never the one of visitors; `off` serves none'),
  METRICS_HOST: z
    .string()
    .default('127.0.0.1')
    .describe('Address that port listens on, apart from `HOST`, because metrics have no password'),
  OTEL_EXPORTER_OTLP_ENDPOINT: baseUrl.describe(
    'Base URL of an OpenTelemetry collector that takes traces by OTLP over HTTP; without it there are none',
  ),
  LOG_LEVEL: z
    .enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'])
    .default('info')
    .describe('Least level that is logged, as JSON lines on standard error'),
  LOG_PRIVACY: z
    .enum(['normal', 'strict'])
    .default('normal')
    .describe(
      'Keys and secrets are never logged; `strict` leaves out the text of errors too, which may hold addresses and identifiers',
    ),
})

export type Config = z.output<typeof Settings>

/**
 * Reads every setting. An empty variable counts as unset, as in a compose file with `PORT=`.
 * @throws AppError `INK_CONFIG` with every problem
 */
export function readConfig(environment: Record<string, string | undefined>): Config {
  const given = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ''))
  const parsed = Settings.safeParse(given)
  if (parsed.success) {
    if ((parsed.data.TLS_CERT === undefined) !== (parsed.data.TLS_KEY === undefined))
      throw new AppError('INK_CONFIG', 'settings are wrong:\n  TLS_CERT and TLS_KEY: set both or neither')
    return parsed.data
  }
  const problems = parsed.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`)
  throw new AppError('INK_CONFIG', `settings are wrong:\n  ${problems.join('\n  ')}`)
}

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
}

/** A failure that repeats, as in an outage of the database, is logged this often. */
export const FAILURE_LOG_INTERVAL_MS = 10_000

/** Where the database is. */
export const storePlace = ({ DATA_DIR, DATABASE_URL }: Config): StoreOptions => ({
  dataDir: DATA_DIR,
  databaseUrl: DATABASE_URL,
})

/** The four public base URLs; those not set point at the port it listens on. */
export interface PublicUrls {
  history: string
  management: string
  ingest: string
  agent: string
}

export function publicUrls(config: Config): PublicUrls {
  const local = `${config.TLS_CERT === undefined ? 'http' : 'https'}://localhost:${config.PORT}`
  return {
    history: config.HISTORY_URL ?? local,
    management: config.MANAGEMENT_URL ?? local,
    ingest: config.INGEST_URL ?? local,
    agent: config.AGENT_URL ?? local,
  }
}

export interface SettingDoc {
  name: string
  /** As it would be written in the environment; empty without one. */
  default: string
  meaning: string
}

/** The settings as the documentation lists them. */
export const settingDocs = (): SettingDoc[] =>
  Object.entries(Settings.shape).map(([name, schema]) => {
    const fallback = schema.safeParse(undefined).data
    return {
      name,
      default: fallback === undefined || Array.isArray(fallback) ? '' : String(fallback),
      meaning: schema.description ?? '',
    }
  })
