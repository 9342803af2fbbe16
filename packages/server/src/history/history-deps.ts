import type { Directory } from '../auth/directory.ts'
import type { RateLimit } from '../lib/rate-limit.ts'
import type { NetworkEvidence } from '../visit/network-evidence.ts'
import type { Search } from './search.ts'

export interface HistoryDeps {
  directory: Directory
  search: Search
  /** What was seen of an identification's connection, while its snapshot is kept. */
  networkOf(domainId: number, identificationId: number): Promise<NetworkEvidence | undefined>
  /** Per domain, shared by all of its callers. */
  limit: RateLimit
}
