import { z } from 'zod'
import { Timestamp } from './fields.ts'
import type { AccountOperation } from './operation.ts'

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
