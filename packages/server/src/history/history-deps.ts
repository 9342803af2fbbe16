import type { Directory } from '../auth/directory.ts'
import type { RateLimit } from '../lib/rate-limit.ts'
import type { Search } from './search.ts'

export interface HistoryDeps {
  directory: Directory
  search: Search
  /** Per domain, shared by all of its callers. */
  limit: RateLimit
}
