import { LIST_KINDS, LIST_NAMES, type ListKind, type ListName } from '@inkling/contract'
import { type ParsedAddress, parseAddress, wordsOf } from '../../lib/address.ts'
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

export function createListIndex(): ListIndex {
  const values = new Map<string, OfValue>()
  const networks = createNetworks()
  let size = 0

  return {
    add(entry) {
      const key = entry.kind === 'cidr' ? networkKey(entry.value) : `${entry.kind} ${entry.value}`
      if (key === undefined) return
      const known = values.get(key) ?? {}
      if (!known[entry.list]) size += 1
      if (entry.kind === 'cidr' && !values.has(key)) networks.add(entry.value)
      known[entry.list] = entry
      values.set(key, known)
    },
    size: () => size,
    match(subjects, atMs) {
      if (size === 0) return []
      const found: OfValue[] = []
      for (const kind of LIST_KINDS) {
        if (kind === 'cidr') continue
        const subject = subjects[EXACT[kind]]
        const entries = subject === undefined ? undefined : values.get(`${kind} ${subject}`)
        if (!entries) continue
        const isClaim = kind === 'account' && subjects.isAccountClaimed === true
        found.push(isClaim ? { ...entries, allow: undefined } : entries)
      }
      const matches = new Set(found.flatMap((entries) => inForce(entries, atMs)))
      for (const address of [subjects.address, subjects.localAddress]) {
        const around = address === undefined ? [] : networks.around(address)
        for (const entry of narrowest(around.flatMap((key) => inForce(values.get(key) ?? {}, atMs))))
          matches.add(entry)
      }
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

/** The first of each list. */
const narrowest = (entries: readonly ListedEntry[]): ListedEntry[] =>
  entries.filter((entry, index) => entries.findIndex(({ list }) => list === entry.list) === index)

/** Which lengths of prefixes there are, so that an address is looked up once for each of them. */
function createNetworks() {
  const lengths = { 4: new Set<number>(), 6: new Set<number>() }
  let sorted: Record<4 | 6, number[]> = { 4: [], 6: [] }
  return {
    add(network: string): void {
      const cidr = parseCidr(network)
      if (!cidr || lengths[cidr.first.family].has(cidr.bits)) return
      lengths[cidr.first.family].add(cidr.bits)
      sorted = { 4: descending(lengths[4]), 6: descending(lengths[6]) }
    },
    /** Keys of the networks that the address may be in, the narrowest first. */
    around(text: string): string[] {
      const address = parseAddress(text)
      if (!address) return []
      return sorted[address.family].map((bits) => prefixKey(address, bits))
    },
  }
}

const descending = (numbers: ReadonlySet<number>): number[] => [...numbers].sort((a, b) => b - a)

function networkKey(network: string): string | undefined {
  const cidr = parseCidr(network)
  return cidr && prefixKey(cidr.first, cidr.bits)
}

const prefixKey = (address: ParsedAddress, bits: number): string =>
  `cidr ${wordsOf(address)
    .map((word, index) => (word & prefixMask(bits, index)) >>> 0)
    .join('.')}/${bits}`
