import { z } from 'zod'
import type { ReportedReadings } from './ingest-body.ts'

/**
 * The follow-up channel: WebSocket `/follow/{request_id}?publicKey=KEY`, which the agent opens beside its snapshot. Both
 * sides send JSON texts.
 *
 * 1. The server sends one `FollowTask` and measures round trips by pings, which browsers answer below any script.
 * 2. The agent sends a `FollowReport` with the outcome of the network check and the late readings.
 * 3. If that had `more`, the agent sends further reports when the visitor acts, in steps that become longer, and closes
 *    the channel after the last one.
 */
export const FOLLOW_PREFIX = '/follow/'

/** The first report, and three on how the visitor acts. Each is a write of the visit's row. */
export const FOLLOW_REPORTS_MAX = 4

/** Where the browser's network check sends its packets, and the credentials for it. */
export interface NetworkCheckTask {
  /** TURN URLs, one per transport. */
  urls: string[]
  username: string
  credential: string
}

/** What the server asks for. `null` where it has no responder for the network check. */
export interface FollowTask {
  network_check: NetworkCheckTask | null
}

export const NetworkReport = z.object({
  outcome: z.enum(['complete', 'unsupported', 'failed']),
  /** Whether the responder's refusal reached the browser. */
  answered: z.boolean(),
})
export type NetworkReport = z.infer<typeof NetworkReport>

/** What the agent reports. Readings are checked like those of a snapshot, later. */
export const FollowReport = z.object({
  /** In the first report, if there is one: with it the server keeps what arrives before the snapshot. */
  ticket: z.string().max(128).optional(),
  /** In the first report only. */
  network: NetworkReport.optional(),
  readings: z.record(z.string(), z.unknown()).optional(),
  /** Whether the agent keeps the channel open for another report. */
  more: z.boolean().optional(),
})
export type FollowReport = Omit<z.infer<typeof FollowReport>, 'readings'> & { readings?: ReportedReadings }
