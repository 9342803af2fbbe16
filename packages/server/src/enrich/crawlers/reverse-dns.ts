import { Resolver } from 'node:dns/promises'
import { formatAddress, type ParsedAddress, parseAddress } from '../../lib/address.ts'

/** The DNS queries that a check needs; `Resolver` of `node:dns/promises` has them. */
export type DnsResolver = Pick<Resolver, 'resolvePtr' | 'resolve4' | 'resolve6'>

/** Of the first try; the second waits longer. */
const TIMEOUT_MS = 1_500
const TRIES = 2

/** Asks the machine's own DNS servers. */
export const openDnsResolver = (): DnsResolver => new Resolver({ timeout: TIMEOUT_MS, tries: TRIES })

/** An arbitrary server may have hundreds of names for its address. */
const NAMES_MAX = 3

/**
 * Whether the address has a host name that matches `hosts` and resolves back to the address (the `iprev` check of
 * https://www.rfc-editor.org/rfc/rfc8601#section-3): the owner of an address may give it any name, but only the
 * owner of the name can confirm it. Undefined when DNS fails.
 */
export async function confirmHost(
  text: string,
  hosts: RegExp,
  resolver: DnsResolver,
): Promise<boolean | undefined> {
  const address = parseAddress(text)
  if (!address) return false
  // Not `reverse`: it also reads the hosts file, and reports a DNS failure as "not found".
  const names = await answersOf(resolver.resolvePtr(reverseName(address)))
  if (!names) return undefined
  const matching = names
    .map((name) => name.toLowerCase().replace(/\.$/, ''))
    .filter((name) => hosts.test(name))
    .slice(0, NAMES_MAX)
  const answers = await Promise.all(
    matching.map((name) =>
      answersOf(address.family === 4 ? resolver.resolve4(name) : resolver.resolve6(name)),
    ),
  )
  const normal = formatAddress(address)
  if (answers.some((addresses) => addresses?.some((found) => normalAddress(found) === normal))) return true
  return answers.includes(undefined) ? undefined : false
}

/** Error codes that mean "no such record", as opposed to a failure. */
const NO_RECORD: readonly unknown[] = ['ENOTFOUND', 'ENODATA']

async function answersOf(query: Promise<string[]>): Promise<string[] | undefined> {
  try {
    return await query
  } catch (error) {
    return error instanceof Error && 'code' in error && NO_RECORD.includes(error.code) ? [] : undefined
  }
}

function normalAddress(text: string): string | undefined {
  const address = parseAddress(text)
  return address && formatAddress(address)
}

/**
 * The name of an address's PTR record: https://www.rfc-editor.org/rfc/rfc1035#section-3.5 for IPv4,
 * https://www.rfc-editor.org/rfc/rfc3596#section-2.5 for IPv6.
 */
export function reverseName(address: ParsedAddress): string {
  if (address.family === 4) return `${formatAddress(address).split('.').reverse().join('.')}.in-addr.arpa`
  const digits = address.words.map((word) => word.toString(16).padStart(8, '0')).join('')
  return `${[...digits].reverse().join('.')}.ip6.arpa`
}
