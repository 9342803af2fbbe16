import type { AgentAction } from '@inkling/contract'
import type { AgentIdentity } from './agent-identity.ts'
import type { HeaderFacts, Http2Facts, Observation, TlsFacts } from './network-evidence.ts'

/** What the customer's edge saw of the request for a page, and what its assessment said. Plain JSON. */
export interface EdgeRequest {
  assessmentId: string
  atMs: number
  score: number
  action: AgentAction | null
  /** Counted from 1. */
  rule: number | null
  agent?: AgentIdentity | undefined
  tls: Observation<TlsFacts>
  http2: Observation<Http2Facts>
  headers: Observation<HeaderFacts>
}

/**
 * `unreadable`: not made by this installation; `foreign`: for another domain; `other_client`: for a request with another
 * `User-Agent`; `replayed`: another visitor used it first.
 */
export type JoinRefusal = 'unreadable' | 'foreign' | 'expired' | 'other_client' | 'replayed'

/** What became of the key with which a page joins its visit to the assessment of its own request. */
export type EdgeJoin =
  | ({
      state: 'joined'
      /** Whether both came from the same address. Only then does the edge's evidence count. */
      sameAddress: boolean
    } & EdgeRequest)
  | { state: 'refused'; why: JoinRefusal }
