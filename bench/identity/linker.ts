import type { Enriched } from '../../packages/server/src/visit/identification.ts'

/** The input of a linker: the same data that Inkling's `identify` stage gets. */
export type LinkerInput = Pick<
  Enriched,
  'domain' | 'requestId' | 'cookieId' | 'userHid' | 'address' | 'atMs' | 'readings' | 'client'
> & { ip: Pick<Enriched['ip'], 'class' | 'asn'> }

export interface Linker {
  name: string
  /** The identifier of the visit's device. */
  link(visit: LinkerInput): string | Promise<string>
  /** What it is told after the visit: whether that was in a private window. */
  learn?(visit: LinkerInput, isPrivate: boolean): void
  /** The likeliest device of the last visit, where it had to search for one, whether or not it was chosen. */
  lastSearch?(): Searched | undefined
}

export interface Searched {
  id: string
  /** As the linker states it. */
  probability: number
}
