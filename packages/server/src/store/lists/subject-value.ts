import { isUuid, type LabelSubject, type ListKind, NIL_UUID, NO_IPV4, namesAccount } from '@inkling/contract'
import { formatAddress, parseAddress } from '../../lib/address.ts'
import { parseCidr } from '../../lib/cidr.ts'

/** The normal form of a value, by which it is stored and compared, or what is wrong with it. */
type NormalValue = { value: string } | { problem: string }

/** Shorter prefixes are networks of thousands of companies, and often a typing error. */
const BITS_MIN = { 4: 8, 6: 16 } as const
const ASN_MAX = 4_294_967_295
const VALUE_LENGTH_MAX = 1_024
/** An index of PostgreSQL holds no longer ones. */
const VALUE_BYTES_MAX = 2_048

/** In normal form, equal values are equal texts. */
export function normalValue(kind: ListKind | LabelSubject, text: string): NormalValue {
  if (text.length > VALUE_LENGTH_MAX || Buffer.byteLength(text) > VALUE_BYTES_MAX)
    return { problem: `longer than ${VALUE_LENGTH_MAX} characters or ${VALUE_BYTES_MAX} bytes` }
  switch (kind) {
    case 'account':
      return accountValue(text)
    case 'address':
    case 'local_address':
      return addressValue(text)
    case 'cidr':
      return networkValue(text)
    case 'asn':
      return asnValue(text)
    case 'country':
      return countryValue(text)
    case 'email_domain_hash':
      return /^[0-9a-f]{64}$/i.test(text)
        ? { value: text.toLowerCase() }
        : { problem: 'not a SHA-256 in hexadecimal' }
    default:
      return idValue(text)
  }
}

function idValue(text: string): NormalValue {
  if (!isUuid(text)) return { problem: 'not a UUID' }
  return text === NIL_UUID ? { problem: 'names nobody' } : { value: text.toLowerCase() }
}

/** As it was sent: accounts that differ in case are different ones. */
function accountValue(text: string): NormalValue {
  if (!namesAccount(text)) return { problem: 'names no account' }
  if (/\p{Cc}/u.test(text) || !text.isWellFormed()) return { problem: 'has control characters' }
  return { value: text }
}

function addressValue(text: string): NormalValue {
  const address = parseAddress(text)
  if (!address) return { problem: 'not an IP address' }
  const value = formatAddress(address)
  return value === NO_IPV4 ? { problem: 'names no address' } : { value }
}

function networkValue(text: string): NormalValue {
  const cidr = parseCidr(text)
  if (!cidr) return { problem: 'not a network in CIDR notation' }
  const { first, bits } = cidr
  const least = BITS_MIN[first.family]
  if (bits < least) return { problem: `a prefix shorter than /${least} is too much of the internet` }
  return { value: `${formatAddress(first)}/${bits}` }
}

function asnValue(text: string): NormalValue {
  const number = Number(/^(?:AS)?(?<number>[1-9]\d{0,9})$/i.exec(text)?.groups?.number)
  return number <= ASN_MAX ? { value: String(number) } : { problem: 'not the number of a network' }
}

const REGIONS = new Intl.DisplayNames(['en'], { type: 'region', fallback: 'none' })

function countryValue(text: string): NormalValue {
  const code = text.toUpperCase()
  const isCode = /^[A-Z]{2}$/.test(code) && REGIONS.of(code) !== undefined
  return isCode ? { value: code } : { problem: 'not an ISO 3166 code of two letters' }
}
