import { z } from 'zod'
import { Timestamp } from './fields.ts'
import type { AccountOperation, Examples } from './operation.ts'

export const HealthCheck = z
  .object({
    check: z.string().describe('What was checked'),
    state: z.enum(['ok', 'warn', 'problem']).describe('`warn`: works, but needs attention'),
    detail: z.string().describe('Finding'),
    advice: z.string().nullable().describe('What to do; null if nothing'),
  })
  .describe('One check')
export type HealthCheck = z.infer<typeof HealthCheck>

export const IngestMinute = z
  .object({
    at: Timestamp.describe('Start of the minute'),
    identifications: z
      .int()
      .nullable()
      .describe('Acknowledged identifications; null for who does not see all domains'),
    p50_ms: z
      .number()
      .nullable()
      .describe('Median time until an identification was scored and on disk, in milliseconds'),
    p99_ms: z.number().nullable().describe('99th percentile of the same'),
  })
  .describe('One minute of ingest of this process')
export type IngestMinute = z.infer<typeof IngestMinute>

export const SystemHealth = z
  .object({
    version: z.string().describe('Version of the server'),
    started_at: Timestamp.describe('Start of this process'),
    checks: z.array(HealthCheck).describe('Problems first'),
    database: z
      .object({
        bytes: z.int().describe('Size on disk'),
        rows: z
          .int()
          .nullable()
          .describe('Identifications, approximately; null for who does not see all domains'),
        rows_last_day: z.int().describe('Identifications of the last 24 hours in domains that the user sees'),
        bytes_per_day: z
          .int()
          .nullable()
          .describe(
            'Growth at the rate of the last 24 hours, before retention; null for who does not see all domains',
          ),
        free_bytes: z.int().nullable().describe('Free bytes of that disk; null for PostgreSQL'),
      })
      .describe('The database'),
    events: z
      .object({
        waiting: z.int().describe('Pending events'),
        overdue_ms: z.int().describe('Milliseconds since the oldest pending event was due; 0 if none is'),
        sends_last_hour: z.int().describe('Sends of the last hour, at most the newest 10,000'),
        delivered_share: z
          .number()
          .nullable()
          .describe('Share of them that was accepted; null without sends'),
        endpoints: z
          .array(
            z.object({
              endpoint_id: z.int().describe('Number of the endpoint'),
              domain: z.string().describe('Its domain'),
              state: z
                .enum(['failing', 'disabled'])
                .describe('`disabled`: by the server, after days of failures'),
            }),
          )
          .describe('Endpoints whose last sends failed'),
      })
      .describe('Webhook events of the domains that the user sees'),
    ingest: z.array(IngestMinute).describe('The last full minutes, oldest first'),
    follow_ups: z
      .int()
      .nullable()
      .describe('Visits with follow-up checks that still run; null for who does not see all domains'),
    domains: z
      .array(
        z.object({
          domain: z.string().describe('Registered domain'),
          remaining: z.int().describe('Included identifications left'),
          has_volume: z.boolean().describe('Whether somebody set the volume'),
          identifications_last_day: z.int().describe('Identifications of the last 24 hours'),
        }),
      )
      .describe('Volume of each domain'),
    retention: z
      .object({
        days: z.int().describe('Age in days at which identifications are removed; 0 keeps all'),
        last_run_at: Timestamp.nullable().describe('End of the last removal; null before the first'),
        removed: z
          .int()
          .nullable()
          .describe('Identifications that it removed; null for who does not see all domains'),
      })
      .describe('Removal of old identifications'),
  })
  .describe('Health of the installation')
export type SystemHealth = z.infer<typeof SystemHealth>

export const HEALTH_OPERATIONS = {
  getSystemHealth: {
    method: 'GET',
    path: '/account/health',
    access: 'health:read',
    summary: 'Read how the installation does',
    answer: SystemHealth,
  },
} as const satisfies Record<string, AccountOperation>

const HEALTH: SystemHealth = {
  version: '0.1.0',
  started_at: '2026-10-02T06:00:00.000Z',
  checks: [
    {
      check: 'kernel evidence',
      state: 'warn',
      detail: 'not on darwin: the kernel must be Linux',
      advice: 'Run the server on Linux, so that signals about the network have facts.',
    },
    { check: 'database', state: 'ok', detail: '418 MB, 91 GB free', advice: null },
  ],
  database: {
    bytes: 418_000_000,
    rows: 55_200,
    rows_last_day: 1_840,
    bytes_per_day: 13_900_000,
    free_bytes: 91_000_000_000,
  },
  events: { waiting: 0, overdue_ms: 0, sends_last_hour: 76, delivered_share: 1, endpoints: [] },
  ingest: [{ at: '2026-10-08T14:24:00.000Z', identifications: 3, p50_ms: 6, p99_ms: 12 }],
  follow_ups: 1,
  domains: [
    { domain: 'brewline.example', remaining: 47_310, has_volume: true, identifications_last_day: 1_840 },
  ],
  retention: { days: 90, last_run_at: '2026-10-08T11:30:00.000Z', removed: 0 },
}

export const HEALTH_EXAMPLES: Examples<typeof HEALTH_OPERATIONS> = {
  getSystemHealth: { answer: HEALTH },
}
