import { z } from 'zod'
import { Timestamp } from './fields.ts'
import type { AccountOperation, Examples } from './operation.ts'

export const HealthCheck = z
  .object({
    check: z.string().describe('What was looked at'),
    state: z.enum(['ok', 'warn', 'problem']).describe('`warn` works, but wants attention'),
    detail: z.string().describe('What was found'),
    advice: z.string().nullable().describe('What to do; null where nothing is'),
  })
  .describe('One thing that was looked at')
export type HealthCheck = z.infer<typeof HealthCheck>

export const IngestMinute = z
  .object({
    at: Timestamp.describe('Start of the minute'),
    identifications: z.int().describe('Identifications that were acknowledged'),
    p50_ms: z.number().nullable().describe('Half of them were scored and on disk within so long'),
    p99_ms: z.number().nullable().describe('99 of 100 were'),
  })
  .describe('What one server process took in')
export type IngestMinute = z.infer<typeof IngestMinute>

export const SystemHealth = z
  .object({
    version: z.string().describe('Version of the server'),
    started_at: Timestamp.describe('When this process was started'),
    checks: z.array(HealthCheck).describe('Problems come first'),
    database: z
      .object({
        bytes: z.int().describe('On disk'),
        rows: z.int().describe('Identifications, near enough'),
        rows_last_day: z.int().describe('Identifications of the last 24 hours'),
        bytes_per_day: z.int().describe('Growth at the pace of the last 24 hours, before retention'),
        free_bytes: z
          .int()
          .nullable()
          .describe('Left on that disk; null for PostgreSQL, whose disk is not seen'),
      })
      .describe('The database'),
    events: z
      .object({
        waiting: z.int().describe('Events that are not delivered yet'),
        overdue_ms: z.int().describe('How long the oldest of them is overdue; 0 when none is'),
        sends_last_hour: z.int().describe('Sends of the last hour, the newest 10,000 at the most'),
        delivered_share: z.number().nullable().describe('Part of them that was accepted; null without any'),
      })
      .describe('Webhook events'),
    ingest: z.array(IngestMinute).describe('The last whole minutes, oldest first'),
    follow_ups: z.int().describe('Visits whose later checks may still report'),
    domains: z
      .array(
        z.object({
          domain: z.string().describe('Registered domain'),
          remaining: z.int().describe('Included identifications left'),
          identifications_last_day: z.int().describe('Identifications of the last 24 hours'),
        }),
      )
      .describe('Volume that is left'),
    retention: z
      .object({
        days: z.int().describe('Older ones are removed; 0 keeps everything'),
        last_run_at: Timestamp.nullable().describe('When the last removal ended; null before the first'),
        removed: z.int().nullable().describe('Identifications it removed'),
      })
      .describe('Removal of what is old'),
  })
  .describe('How the installation does')
export type SystemHealth = z.infer<typeof SystemHealth>

export const HEALTH_OPERATIONS = {
  getSystemHealth: {
    method: 'GET',
    path: '/account/health',
    access: 'analyst',
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
  events: { waiting: 0, overdue_ms: 0, sends_last_hour: 76, delivered_share: 1 },
  ingest: [{ at: '2026-10-08T14:24:00.000Z', identifications: 3, p50_ms: 6, p99_ms: 12 }],
  follow_ups: 1,
  domains: [{ domain: 'brewline.example', remaining: 47_310, identifications_last_day: 1_840 }],
  retention: { days: 90, last_run_at: '2026-10-08T11:30:00.000Z', removed: 0 },
}

export const HEALTH_EXAMPLES: Examples<typeof HEALTH_OPERATIONS> = {
  getSystemHealth: { answer: HEALTH },
}
