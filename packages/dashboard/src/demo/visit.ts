import type { DemoVerdict } from './demo-api.ts'

export type Failure =
  | 'server_unreachable'
  | 'agent_blocked'
  | 'agent_refused'
  | 'ingest_refused'
  | 'not_scored'
  | 'api_key_rejected'
  | 'history_unavailable'

/** Milliseconds since the agent was called, as far as they are measured. */
export interface Timing {
  requestId?: number
  acknowledged?: number
  row?: number
  webhook?: number
}

/** One identification as the page knows it so far. */
export interface Visit {
  phase: 'starting' | 'identifying' | 'waiting' | 'scored' | 'failed'
  requestId?: string
  timing: Timing
  verdict?: DemoVerdict
  /** Nothing more will come. */
  settled: boolean
  failure?: Failure
}

export const NEW_VISIT: Visit = { phase: 'starting', timing: {}, settled: false }
