import type { Directory } from '../auth/directory.ts'
import type { RateLimit } from '../lib/rate-limit.ts'
import type { SecretBox } from '../lib/secret-box.ts'
import type { Store } from '../store/store.ts'

export interface ManagementDeps {
  directory: Directory
  store: Store
  /** Seals the signing secret of a new callback. */
  secrets: SecretBox
  /** Per client address. */
  limit: RateLimit
  clientAddress: (peer: string, forwardedFor: string | undefined) => string
  /** Short name in header names. */
  serviceName: string
  /** Public base URL of the History API, which succeeds the deprecated endpoint. */
  historyUrl: string
  allowPrivateWebhooks: boolean
  now: () => number
  /** Requests answered at the same time; those over it are told that the server is busy. */
  inFlightMax?: number
}
