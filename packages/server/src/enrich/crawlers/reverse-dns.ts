import { Resolver } from 'node:dns/promises'
import { formatAddress, type ParsedAddress, parseAddress } from '../../lib/parse-address.ts'

/** A server of nobody's crawler may answer with hundreds of names. */
const NAMES_MAX = 3

/**
 * Whether the address bears a host name that fits, and that name leads back to the address: the owner of
 * an address may call it anything, only the owner of the name can confirm it. Undefined when DNS failed to answer.
 */
export async function confirmHost(
  text: string,
  hosts: RegExp,
  resolver: CrawlerResolver,
): Promise<boolean | undefined> {
  const address = parseAddress(text)
  if (!address) return false
  // Not `reverse`: it reads the machine's hosts file too, and calls a failure of DNS "not found".
  const names = await answersOf(resolver.resolvePtr(reverseName(address)))
  if (!names) return undefined
  const fitting = names
    .map(normalName)
    .filter((name) => hosts.test(name))
    .slice(0, NAMES_MAX)
  const answers = await Promise.all(
    fitting.map((name) =>
      answersOf(address.family === 4 ? resolver.resolve4(name) : resolver.resolve6(name)),
    ),
  )
  const normal = formatAddress(address)
  if (answers.some((addresses) => addresses?.some((found) => normalAddress(found) === normal))) return true
  return answers.includes(undefined) ? undefined : false
}

/** Codes of answers that say there is nothing, as opposed to no answer. */
const NOTHING: readonly unknown[] = ['ENOTFOUND', 'ENODATA']

async function answersOf(question: Promise<string[]>): Promise<string[] | undefined> {
  try {
    return await question
  } catch (error) {
    return error instanceof Error && 'code' in error && NOTHING.includes(error.code) ? [] : undefined
  }
}

const normalName = (name: string): string => name.toLowerCase().replace(/\.$/, '')

function normalAddress(text: string): string | undefined {
  const address = parseAddress(text)
  return address && formatAddress(address)
}

/** The name under which DNS keeps the host names of an address: RFC 1035 for IPv4, RFC 3596 for IPv6. */
export function reverseName(address: ParsedAddress): string {
  if (address.family === 4) {
    const { value } = address
    return `${[value & 255, (value >>> 8) & 255, (value >>> 16) & 255, value >>> 24].join('.')}.in-addr.arpa`
  }
  const digits = address.words.map((word) => word.toString(16).padStart(8, '0')).join('')
  return `${[...digits].reverse().join('.')}.ip6.arpa`
}

/** The questions that a check of a crawler asks; `Resolver` of `node:dns/promises` answers them. */
export type CrawlerResolver = Pick<Resolver, 'resolvePtr' | 'resolve4' | 'resolve6'>

/** One question: the first try, and one more that waits longer. */
const TIMEOUT_MS = 1_500
const TRIES = 2

/** Asks the servers that the machine is set up with. */
export const openCrawlerResolver = (): CrawlerResolver => new Resolver({ timeout: TIMEOUT_MS, tries: TRIES })
