import { NO_IPV4, PATTERN_CATALOGUE, PATTERN_NAMES, type PatternName } from '@inkling/contract'
import { type Country, countryOfCode } from '../enrich/ip/country-table.ts'
import { formatAddress, parseAddress } from '../lib/address.ts'
import { parseCidr } from '../lib/cidr.ts'
import type { UuidBytes } from '../lib/uuid.ts'

/** All IDs that begin with what was typed. */
export interface TypedId {
  /** In lower case, with the dashes of a UUID. */
  text: string
  first: UuidBytes
  last: UuidBytes
  isWhole: boolean
}

/** What a text can mean, whether or not it exists. */
export interface Recognised {
  /** Without spaces around it and without control characters. An account may be called anything. */
  text: string
  id: TypedId | undefined
  /** In normal form, like the network. */
  address: string | undefined
  network: string | undefined
  /** Number of an autonomous system. */
  asn: number | undefined
  countries: Country[]
  caseNumber: number | undefined
  findingNumber: number | undefined
  /** Patterns whose name has the text in it. */
  patterns: PatternName[]
}

/** Every ID begins with fewer characters than these more often than by chance. */
const ID_CHARACTERS_MIN = 6
/** Of a word that others may begin with. */
export const PREFIX_CHARACTERS_MIN = 3
const COUNTRIES_MAX = 5
const ASN_MAX = 4_294_967_295

/** Reads what somebody typed into the box that finds anything. Pure: what exists is looked up elsewhere. */
export function recognise(typed: string): Recognised {
  const text = typed
    .toWellFormed()
    .replaceAll(/\p{Cc}/gu, '')
    .trim()
  const number = numberIn(text, /^#?(\d{1,15})$/)
  return {
    text,
    id: idRangeOf(text),
    address: addressIn(text),
    network: networkIn(text),
    asn: asnIn(text),
    countries: countriesNamed(text),
    caseNumber: number ?? numberIn(text, /^case\s*#?(\d{1,15})$/i),
    findingNumber: number ?? numberIn(text, /^(?:finding|pattern)\s*#?(\d{1,15})$/i),
    patterns: patternsNamed(text),
  }
}

const UUID_LENGTH = 36
const DIGITS = 32
/** Where a UUID has its dashes. */
const dashed = (digits: string): string =>
  [digits.slice(0, 8), digits.slice(8, 12), digits.slice(12, 16), digits.slice(16, 20), digits.slice(20)]
    .filter((part) => part !== '')
    .join('-')

function idRangeOf(text: string): TypedId | undefined {
  if (text.length > UUID_LENGTH || !/^[0-9a-f-]+$/i.test(text)) return undefined
  const digits = text.replaceAll('-', '').toLowerCase()
  if (digits.length < ID_CHARACTERS_MIN || digits.length > DIGITS) return undefined
  const id = dashed(digits)
  // A date such as 2026-10-08 has its dashes elsewhere.
  if (text.includes('-') && text.toLowerCase().replace(/-$/, '') !== id) return undefined
  return {
    text: id,
    first: Uint8Array.fromHex(digits.padEnd(DIGITS, '0')),
    last: Uint8Array.fromHex(digits.padEnd(DIGITS, 'f')),
    isWhole: digits.length === DIGITS,
  }
}

function addressIn(text: string): string | undefined {
  const address = parseAddress(text)
  const normal = address && formatAddress(address)
  return normal === NO_IPV4 ? undefined : normal
}

function networkIn(text: string): string | undefined {
  const cidr = text.includes('/') ? parseCidr(text) : undefined
  return cidr && `${formatAddress(cidr.first)}/${cidr.bits}`
}

function asnIn(text: string): number | undefined {
  const asn = numberIn(text, /^asn?\s?(\d{1,10})$/i)
  return asn !== undefined && asn <= ASN_MAX ? asn : undefined
}

/** Zero is the number of nothing. */
function numberIn(text: string, form: RegExp): number | undefined {
  const number = Number(form.exec(text)?.[1] ?? 0)
  return number === 0 ? undefined : number
}

const LETTERS = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ']
const COUNTRIES = LETTERS.flatMap((first) => LETTERS.flatMap((last) => countryOfCode(first + last) ?? []))
const DISPLAYED = new Intl.DisplayNames(['en'], { type: 'region' })
/** A country has up to two names: the one that is stored, and the one of browsers. */
const NAMES = COUNTRIES.map((country) => ({
  country,
  names: [country.name, DISPLAYED.of(country.code) ?? country.name].map((name) => name.toLowerCase()),
}))

/** The country with this code or name, or else those whose name begins so. */
function countriesNamed(text: string): Country[] {
  const typed = text.toLowerCase()
  const exact = NAMES.filter(
    ({ country, names }) => country.code.toLowerCase() === typed || names.includes(typed),
  )
  const begun =
    exact.length > 0 || typed.length < PREFIX_CHARACTERS_MIN
      ? exact
      : NAMES.filter(({ names }) => names.some((name) => name.startsWith(typed)))
  return begun.slice(0, COUNTRIES_MAX).map(({ country }) => country)
}

function patternsNamed(text: string): PatternName[] {
  const typed = text.toLowerCase()
  if (typed.length < PREFIX_CHARACTERS_MIN) return []
  return PATTERN_NAMES.filter(
    (name) => name === typed || PATTERN_CATALOGUE[name].title.toLowerCase().includes(typed),
  )
}
