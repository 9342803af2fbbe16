import { z } from 'zod'

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
  /** Address it listens on. */
  HOST: z.string().default('127.0.0.1'),
  /** Port it listens on. */
  PORT: z.coerce.number().int().min(0).max(65_535).default(8080),
  /** Embedded database, feeds and generated secrets. */
  DATA_DIR: z.string().default('./data'),
  /** Short name in header names (`X-Svc-Signature`). */
  SERVICE_NAME: z
    .string()
    .regex(/^[A-Za-z0-9-]{1,32}$/, 'letters, digits and - only')
    .default('Svc'),
  /** Public base URL of the History API. When the hosts of the four differ, requests are routed by Host. */
  HISTORY_URL: baseUrl,
  /** Public base URL of the Management API. */
  MANAGEMENT_URL: baseUrl,
  /** Public base URL that receives identifications. */
  INGEST_URL: baseUrl,
  /** Public base URL that serves the agent. */
  AGENT_URL: baseUrl,
  /** CIDRs of proxies whose X-Forwarded-For is believed; from anyone else the header is ignored. */
  TRUST_PROXY: z
    .string()
    .default('')
    .transform((list) =>
      list
        .split(',')
        .map((entry) => entry.trim())
        .filter(Boolean),
    ),
  /** Identifications that one visitor address may send in a minute. */
  INGEST_LIMIT_PER_MINUTE: count(60, 1),
  /** How long the one over that limit blocks the address. */
  INGEST_BLOCK_MINUTES: count(10),
  /** History requests of one domain in a second. */
  HISTORY_LIMIT_PER_SECOND: count(15, 1),
  /** Management requests of one client address in a minute. */
  MANAGEMENT_LIMIT_PER_MINUTE: count(15, 1),
  /** How long the one over that limit blocks the address. */
  MANAGEMENT_BLOCK_MINUTES: count(10),
  /** Sends after a failed first one; seven at the most. */
  WEBHOOK_RETRIES: z.coerce.number().int().min(0).max(7).default(0),
  /** Whether webhook endpoints may resolve to loopback or private addresses. */
  WEBHOOK_ALLOW_PRIVATE: flag(false),
  /** Keep the raw, compressed fingerprint for re-scoring. */
  STORE_SNAPSHOTS: flag(true),
  /** Least level that is logged. */
  LOG_LEVEL: z.enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']).default('info'),
})

export type Config = z.output<typeof Settings>

/** Every problem at once, in words an operator can act on. */
export class ConfigError extends Error {}

/** An empty variable counts as unset, as in a compose file with `PORT=`. */
export function readConfig(environment: Record<string, string | undefined>): Config {
  const given = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ''))
  const parsed = Settings.safeParse(given)
  if (parsed.success) return parsed.data
  const problems = parsed.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`)
  throw new ConfigError(`settings are wrong:\n  ${problems.join('\n  ')}`)
}

/** The four public base URLs; those not set point at the port it listens on. */
export interface PublicUrls {
  history: string
  management: string
  ingest: string
  agent: string
}

export function publicUrls(config: Config): PublicUrls {
  const local = `http://localhost:${config.PORT}`
  return {
    history: config.HISTORY_URL ?? local,
    management: config.MANAGEMENT_URL ?? local,
    ingest: config.INGEST_URL ?? local,
    agent: config.AGENT_URL ?? local,
  }
}
