import type { Attempt } from './attempt.ts'
import type { InstallationName } from './installation.ts'

export type Kind = 'forger' | 'honest'

/** One way of coming to the shop: a forger's, or that of a person. */
export interface Case {
  /** Unique among all cases. */
  id: string
  title: string
  kind: Kind
  /** Its name in `families.ts`. */
  family: string
  /** The Inkling it visits; `tls` by default. */
  at?: InstallationName
  /** The domain whose page it is on; the shop's by default. */
  domain?: string
  /** Nothing tells it from an honest visit. It has a section in the report, and no goal. */
  mayPass?: true
  /** Moves the server's clock, which cannot go back, so it comes after all others. */
  movesClock?: true
  /** Why it cannot run on this machine; undefined if it can. */
  missing?(): Promise<string | undefined>
  /** Makes its visits and returns the request ID of the one that is judged. */
  run(attempt: Attempt): Promise<string>
}
