import type { LatencyRecord } from '../lib/latency-record.ts'

/** What a running process knows of itself and of the machine below it. */
export interface RunningState {
  version: string
  startedAtMs: number
  /** From an identification that was read to one that is scored and on disk. */
  latency: Pick<LatencyRecord, 'minutes'>
  /** Visits whose later checks may still report. */
  followUps(): number
  /** Ways to see a connection from below. */
  sources: readonly { source: string; available: boolean; reason: string }[]
  installation(): Promise<readonly { check: string; ok: boolean; detail: string }[]>
  storage(): Promise<{ bytes: number; freeBytes: number | undefined }>
  retention: { days: number; last(): { endedAtMs: number; removed: number } | undefined }
}
