import { z } from 'zod'
import { AGENTS_PUBLIC } from '../enrich/agents/catalogue.ts'
import { FEEDS_PUBLIC } from '../enrich/feeds/feed.ts'

/** The entries of a list with commas. */
export function listOf(text: string): string[] {
  return text
    .split(',')
    .map((entry) => entry.trim())
    .filter(Boolean)
}

const flag = (fallback: boolean) =>
  z
    .stringbool({ truthy: ['true'], falsy: ['false'], case: 'sensitive', error: 'Must be true or false.' })
    .default(fallback)

/** One text for each way to be wrong, so that it says what fits. */
const wholeNumber = (least: number, most: number, error: string) =>
  z.coerce.number(error).int(error).min(least, error).max(most, error)
const whole = (least: number, most: number) =>
  wholeNumber(least, most, `Must be a whole number from ${least} to ${most}.`)
const count = (fallback: number, least = 0) =>
  wholeNumber(least, Number.MAX_SAFE_INTEGER, `Must be a whole number, ${least} or more.`).default(fallback)

const PORT_MAX = 65_535
function portOrOff(least: number) {
  const error = `Must be off, or a whole number from ${least} to ${PORT_MAX}.`
  return z.union([z.literal('off'), wholeNumber(least, PORT_MAX, error)], error)
}

const baseUrl = z
  .url({ protocol: /^https?$/, error: 'Must be a URL like https://host or https://host/path.' })
  .transform((text) => text.replace(/\/+$/, ''))
  .optional()

/** The environment variables that the server reads, with their defaults and documentation. */
export const Settings = z.object({
  HOST: z.string().default('127.0.0.1').describe('Address it listens on'),
  PORT: whole(0, PORT_MAX).default(8080).describe('Port it listens on; 0 picks a free one'),
  CONNECTIONS_MAX: count(10_000, 1).describe(
    'Connections open at once; each takes 10 to 50 KB. Beyond it idle connections of the address with most are closed',
  ),
  CONNECTIONS_PER_ADDRESS_MAX: count(500, 1).describe(
    'The same for one address, or one IPv6 /64, which may open a tenth of it in a second. Proxies in `TRUST_PROXY` are excepted',
  ),
  ADMIN_PORT: whole(0, PORT_MAX)
    .optional()
    .describe(
      'Port of its own for the dashboard, its API, the Management API, the API reference, assistants (`/mcp`, `/oauth/`) and the packages `/sdk.tgz` and `/agent.tgz`, which `PORT` then does not answer; unset: everything is on `PORT`',
    ),
  ADMIN_HOST: z
    .string()
    .default('127.0.0.1')
    .describe('Address that `ADMIN_PORT` listens on; by default only this machine can connect'),
  DATA_DIR: z
    .string()
    .default('./data')
    .describe('Folder of the embedded database, the feeds and the generated secrets'),
  DATABASE_URL: z
    .url({ protocol: /^postgres(ql)?$/ })
    .optional()
    .describe(
      '`postgres://…`: use PostgreSQL 15 or newer instead of the embedded database, with any number of nodes',
    ),
  SERVICE_NAME: z
    .string()
    .regex(/^[A-Za-z0-9-]{1,32}$/, 'letters, digits and - only')
    .default('Svc')
    .describe('Short name in header names, as in `X-Svc-Signature`'),
  HISTORY_URL: baseUrl.describe(
    'Public base URL of the History API; default `http://localhost:PORT`, or `https://localhost:PORT` with `TLS_CERT`. If the hosts of the four URLs differ, requests are routed by Host',
  ),
  MANAGEMENT_URL: baseUrl.describe(
    'Public base URL of the Management API and the dashboard; same default, with `ADMIN_PORT` if that is set',
  ),
  INGEST_URL: baseUrl.describe('Public base URL that receives identifications; same default'),
  AGENT_URL: baseUrl.describe('Public base URL that serves the agent; same default'),
  TRUST_PROXY: z
    .string()
    .default('')
    .transform(listOf)
    .describe(
      'CIDRs of the proxies whose `X-Forwarded-For` or PROXY protocol header is trusted; from anyone else it is ignored',
    ),
  JA4_HEADER: z
    .string()
    .regex(/^[A-Za-z0-9-]{1,64}$/, 'the name of a header')
    .transform((name) => name.toLowerCase())
    .optional()
    .describe(
      "Name of the header in which the proxies of `TRUST_PROXY` report the JA4 of a visitor's TLS; they must replace it where a visitor sends one. From anyone else it is ignored",
    ),
  INGEST_LIMIT_PER_MINUTE: count(60, 1).describe(
    'Identifications that one visitor address may send per minute',
  ),
  INGEST_BLOCK_MINUTES: count(10).describe('How long an address that exceeds the limit is blocked'),
  HISTORY_LIMIT_PER_SECOND: count(15, 1).describe('History requests per second for each domain'),
  MANAGEMENT_LIMIT_PER_MINUTE: count(15, 1).describe(
    'Management requests per minute for each client address',
  ),
  MANAGEMENT_BLOCK_MINUTES: count(10).describe('How long an address that exceeds the limit is blocked'),
  FEEDS: z
    .string()
    .default(FEEDS_PUBLIC)
    .describe(
      'Which lists of addresses to download: `public`, `off`, or a JSON file that lists feeds, whose sources may be `file://`',
    ),
  AGENTS: z
    .string()
    .default(AGENTS_PUBLIC)
    .describe(
      'Which declared agents are known: `public` (those of the release), `off` (no key directory is asked either), or a JSON file that adds to them',
    ),
  ASSESS_LIMIT_PER_SECOND: count(200, 1).describe(
    'Requests to `/api/v1/assess` per second for each domain and server, with bursts of twice as many',
  ),
  FOLLOW_UP_SECONDS: whole(0, 30)
    .default(10)
    .describe('How long follow-up checks may delay the final score and its event; 0 turns them off'),
  TURN_PORT: portOrOff(0)
    .default(3478)
    .describe('Port of the network check, UDP and TCP; `off` disables it. Visitors must reach it directly'),
  VALKEY_URL: z
    .url({ protocol: /^rediss?$/ })
    .optional()
    .describe(
      '`redis://…` or `rediss://…`: Valkey or Redis in which nodes count requests for rate limits, in place of PostgreSQL. While it does not respond each node counts alone',
    ),
  NODE_ADDRESS: z
    .string()
    .regex(/^(\[[0-9a-fA-F:.]+\]|[^\s:/]+):\d{1,5}$/, 'host:port, or [address]:port')
    .optional()
    .describe(
      '`host:port` at which the other nodes on the same PostgreSQL reach this one, and where it listens for them; each node has its own. With it a balancer may send the connections of a visitor to any node. Unset: all of them must reach the same node',
    ),
  TURN_HOST: z
    .string()
    .optional()
    .describe('Host name where visitors reach the network check; default: the host of `INGEST_URL`'),
  TLS_CERT: z
    .string()
    .optional()
    .describe(
      'PEM file with a certificate chain; the server then speaks HTTPS itself, which adds TLS evidence',
    ),
  TLS_KEY: z.string().optional().describe('PEM file with the key of that certificate'),
  WEBHOOK_RETRIES: whole(0, 7)
    .default(0)
    .describe('Retries after a failed send, up to 7; events then carry an ID'),
  WEBHOOK_ALLOW_PRIVATE: flag(false).describe(
    'Whether webhook endpoints may have loopback or private addresses',
  ),
  WEBHOOK_STANDARD_HEADERS: flag(false).describe(
    'Whether deliveries also carry the headers of Standard Webhooks: ID, time, and a signature over both and the body',
  ),
  WEBHOOK_SECRET_OVERLAP_HOURS: count(24).describe(
    'How long the replaced signing secret of an endpoint stays valid in the headers of Standard Webhooks',
  ),
  WEBHOOK_DISABLE_DAYS: count(5).describe(
    'An endpoint whose sends all failed for this many days is disabled; 0 never disables one',
  ),
  SMTP_URL: z
    .url({ protocol: /^smtps?$/ })
    .optional()
    .describe(
      'Mail server for alerts by e-mail: `smtp://user:password@host:587`, or `smtps://…` for TLS from the start; needs `ALERT_MAIL_FROM`',
    ),
  ALERT_MAIL_FROM: z
    .string()
    .regex(
      /^([^<>@\r\n,;]{1,80}<[^\s@<>,;]+@[^\s@<>,;]+>|[^\s@<>,;]+@[^\s@<>,;]+)$/,
      'an address, or a name with an address in <>',
    )
    .optional()
    .describe('Sender of alerts by e-mail: `inkling@example.com` or `Inkling <inkling@example.com>`'),
  DEMO: z
    .enum(['auto', 'on', 'off'])
    .default('auto')
    .describe(
      'Whether the demo page is served; `auto`: only where `AGENT_URL` is an address of this machine',
    ),
  STOP_SECONDS: whole(1, 3_600)
    .default(8)
    .describe(
      'How long a stop may take; requests that still run after half of it are cut off. The next start continues what is left',
    ),
  RETENTION_DAYS: count(90).describe('Identifications older than this are removed; 0 keeps them all'),
  DISK_BUDGET_MB: count(0).describe(
    'Megabytes that the database may take; visits beyond that are refused with 503. 0 for no limit. A domain can have a budget of its own: see `domain set`',
  ),
  DISK_FREE_MB: count(256).describe(
    'Megabytes that stay free on the disk of the embedded database; with less, visits are refused with 503. 0 turns that off',
  ),
  STORE_SNAPSHOTS: flag(true).describe('Store the raw fingerprint, compressed, for re-scoring'),
  COLD_STORAGE_URL: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe(
      'Bucket of an S3-compatible storage, `https://host/bucket` or a folder in it, that gets the snapshots of old visits and the bodies of their events; needs the two settings below it. Set it once all nodes have a release that knows it',
    ),
  COLD_STORAGE_KEY_ID: z.string().optional().describe('Access key of that storage'),
  COLD_STORAGE_SECRET: z.string().optional().describe('Its secret'),
  COLD_STORAGE_REGION: z.string().default('us-east-1').describe('Region in its signatures'),
  COLD_AFTER_DAYS: count(30).describe(
    'Age from which visits are moved there, plus up to a day; 0 brings everything back into the database',
  ),
  COUNT_VELOCITY: flag(true).describe(
    'Count the visits of each device, account and address, and how many others came with it',
  ),
  CHANGE_FEED_DIR: z
    .string()
    .optional()
    .describe(
      'Folder that gets the change feed: identifications and decisions as files of JSON lines, for an analysis elsewhere. On several nodes set it on one of them, or to a folder that they share. Unset: no feed',
    ),
  CHANGE_FEED_UNREAD_MB: count(1_024, 1).describe(
    'Megabytes of its files that may wait to be fetched; with more it pauses, and visits do not notice',
  ),
  CHANGE_FEED_PERSONAL: flag(false).describe(
    'Whether the feed also has addresses, accounts, the page of entry and the texts of score and decisions',
  ),
  OIDC_ISSUER: baseUrl.describe(
    'Issuer of an OpenID Connect provider that people may sign in to the dashboard with; needs the two settings below it',
  ),
  OIDC_CLIENT_ID: z.string().optional().describe('Name of this installation at the provider'),
  OIDC_CLIENT_SECRET: z.string().optional().describe('Its secret there'),
  OIDC_EMAIL_DOMAINS: z
    .string()
    .default('')
    .transform((text) => listOf(text.toLowerCase()))
    .describe(
      'E-mail domains whose people may sign in with the provider, as analysts if nobody invited them; empty: users and invited people only',
    ),
  OIDC_OWNER_GROUP: z
    .string()
    .optional()
    .describe(
      'Group in the claim `groups` whose members are owners; an owner outside it becomes an analyst, and other roles stay. Unset: roles are managed in the dashboard',
    ),
  METRICS_PORT: portOrOff(1)
    .default('off')
    .describe('Port of `GET /metrics` for Prometheus, apart from `PORT`; `off` disables it'),
  METRICS_HOST: z
    .string()
    .default('127.0.0.1')
    .describe('Address that `METRICS_PORT` listens on; metrics have no password'),
  OTEL_EXPORTER_OTLP_ENDPOINT: baseUrl.describe(
    'Base URL of an OpenTelemetry collector that accepts OTLP over HTTP; without it there are no traces',
  ),
  LOG_LEVEL: z
    .enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'])
    .default('info')
    .describe('Lowest level that is logged, as JSON lines on standard error'),
  LOG_PRIVACY: z
    .enum(['normal', 'strict'])
    .default('normal')
    .describe(
      'Keys and secrets are never logged; `strict` also omits the text of errors, which may contain addresses and identifiers',
    ),
})
