import { LIST_KINDS, LIST_NAMES, type ListKind, type ListName } from '@inkling/contract'
import { type ParsedAddress, parseAddress } from '../../lib/address.ts'
import { parseCidr, prefixMask } from '../../lib/cidr.ts'
import type { ListMatch, ListSubjects } from '../../visit/list-match.ts'

/** An entry as it is kept in memory. */
export interface ListedEntry extends ListMatch {
  expiresAtMs: number | undefined
}

/** The lists of a domain, to match from memory. */
export interface DomainLists {
  /** The entries that match and are in force at that time, those of `deny` first, each network's narrowest one alone. */
  match(subjects: ListSubjects, atMs: number): ListMatch[]
}

export interface ListIndex extends DomainLists {
  /** Replaces the entry of the same list, kind and value. */
  add(entry: ListedEntry): void
  size(): number
}

/** The entries of one value: at most one for each list. */
type OfValue = { [Name in ListName]?: ListedEntry | undefined }

/** The kinds whose entries equal what a visit has. */
const EXACT = {
  device: 'device',
  visitor: 'visitor',
  cookie: 'cookie',
  session: 'session',
  account: 'account',
  address: 'address',
  local_address: 'localAddress',
  asn: 'asn',
  country: 'country',
  email_domain_hash: 'emailDomainHash',
} as const satisfies Partial<Record<ListKind, keyof ListSubjects>>

/** Matches no `allow` entry: anybody at an address can make the network check of somebody else's visit. */
export const LENT = 'local_address' satisfies ListKind

const EXACT_KINDS = LIST_KINDS.filter((kind) => kind !== 'cidr')

export function createListIndex(): ListIndex {
  const values = new Map<ListKind, Map<string, OfValue>>(EXACT_KINDS.map((kind) => [kind, new Map()]))
  const networks = createNetworks()
  let size = 0

  function entriesOf({ kind, value }: ListedEntry): OfValue | undefined {
    if (kind === 'cidr') return networks.of(value)
    const ofKind = values.get(kind)
    const known = ofKind?.get(value) ?? {}
    ofKind?.set(value, known)
    return known
  }

  const around = (address: string | undefined, atMs: number): Iterable<ListedEntry> =>
    address === undefined ? [] : narrowest(networks.around(address), atMs)

  return {
    add(entry) {
      const entries = entriesOf(entry)
      if (!entries) return
      if (!entries[entry.list]) size += 1
      entries[entry.list] = entry
    },
    size: () => size,
    match(subjects, atMs) {
      if (size === 0) return []
      const matches = new Set<ListedEntry>()
      for (const kind of EXACT_KINDS) {
        const subject = subjects[EXACT[kind]]
        const entries = subject === undefined ? undefined : values.get(kind)?.get(String(subject))
        if (!entries) continue
        const letsPass = kind === 'account' ? !subjects.isAccountClaimed : kind !== LENT
        for (const entry of inForce(entries, atMs)) if (letsPass || entry.list !== 'allow') matches.add(entry)
      }
      const { address, localAddress } = subjects
      for (const entry of around(address, atMs)) matches.add(entry)
      for (const entry of around(localAddress, atMs)) if (entry.list !== 'allow') matches.add(entry)
      if (matches.size === 0) return []
      return LIST_NAMES.flatMap((name) => [...matches].filter(({ list }) => list === name)).map(
        ({ list, kind, value, reason }) => ({ list, kind, value, reason }),
      )
    },
  }
}

const inForce = (entries: OfValue, atMs: number): ListedEntry[] =>
  LIST_NAMES.flatMap((list) => {
    const entry = entries[list]
    return entry && (entry.expiresAtMs ?? Number.POSITIVE_INFINITY) > atMs ? [entry] : []
  })

/** The first entry of each list. */
function narrowest(around: readonly OfValue[], atMs: number): Iterable<ListedEntry> {
  const found = new Map<ListName, ListedEntry>()
  for (const entries of around)
    for (const entry of inForce(entries, atMs)) if (!found.has(entry.list)) found.set(entry.list, entry)
  return found.values()
}

/** The networks of one length of prefix, by what their addresses start with. */
interface OfLength {
  bits: number
  byPrefix: Map<number | string, OfValue>
}

/** Networks by their lengths of prefix, so that an address is looked up once for each of them. */
function createNetworks() {
  /** Longest first. */
  const lengths: Record<4 | 6, OfLength[]> = { 4: [], 6: [] }
  return {
    of(network: string): OfValue | undefined {
      const cidr = parseCidr(network)
      if (!cidr) return undefined
      const { first, bits } = cidr
      let ofLength = lengths[first.family].find((known) => known.bits === bits)
      if (!ofLength) {
        ofLength = { bits, byPrefix: new Map() }
        lengths[first.family].push(ofLength)
        lengths[first.family].sort((a, b) => b.bits - a.bits)
      }
      const prefix = prefixOf(first, bits)
      const known = ofLength.byPrefix.get(prefix) ?? {}
      ofLength.byPrefix.set(prefix, known)
      return known
    },
    /** What is known of the networks that the address is in, the narrowest first. */
    around(text: string): OfValue[] {
      const address = parseAddress(text)
      if (!address) return []
      const found: OfValue[] = []
      for (const { bits, byPrefix } of lengths[address.family]) {
        const entries = byPrefix.get(prefixOf(address, bits))
        if (entries) found.push(entries)
      }
      return found
    },
  }
}

const prefixOf = (address: ParsedAddress, bits: number): number | string =>
  address.family === 4
    ? (address.value & prefixMask(bits, 0)) >>> 0
    : address.words.map((word, index) => (word & prefixMask(bits, index)) >>> 0).join('.')
