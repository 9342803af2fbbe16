import type { ListKind, ListName } from '@inkling/contract'

/** An entry of a domain's lists that a visit matches, as it was then. Plain JSON: it is stored with the identification. */
export interface ListMatch {
  list: ListName
  kind: ListKind
  value: string
  reason: string
}

/** What entries of lists are compared with. Each is undefined where a visit, or a question about it, has none. */
export interface ListSubjects {
  device?: string | undefined
  visitor?: string | undefined
  cookie?: string | undefined
  session?: string | undefined
  account?: string | undefined
  /** Whether the account is the claim of a page alone, which anybody can make: no entry of `allow` matches it. */
  isAccountClaimed?: boolean | undefined
  /** Matches entries for the address and for networks that it is in. */
  address?: string | undefined
  /** The same for the address that the network check saw. */
  localAddress?: string | undefined
  asn?: number | undefined
  /** Its ISO 3166 code in capitals. */
  country?: string | undefined
  /** SHA-256 of the domain of an e-mail address in lower case, in hexadecimal. Visits have none. */
  emailDomainHash?: string | undefined
}
