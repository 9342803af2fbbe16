import type { Enriched } from '../../packages/server/src/visit/identification.ts'

/** The input of a linker: the same data that Inkling's `identify` stage gets. */
export type LinkerInput = Pick<
  Enriched,
  'domain' | 'requestId' | 'cookieId' | 'userHid' | 'address' | 'atMs' | 'readings' | 'client'
> & { ip: Pick<Enriched['ip'], 'class'> }

export interface Linker {
  name: string
  /** The identifier of the visit's device. */
  link(visit: LinkerInput): string | Promise<string>
}
