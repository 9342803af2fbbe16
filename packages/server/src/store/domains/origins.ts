import type { DomainRow } from './domains.ts'

/** The origins that a domain's owner allows; undefined without a choice, which allows the domain and its subdomains. */
export const readOrigins = ({ origins }: Pick<DomainRow, 'origins'>): ReadonlySet<string> | undefined =>
  origins === null ? undefined : new Set(JSON.parse(origins) as string[])

/** The form of the column; null for all pages of the domain. */
export const originsColumn = (origins: readonly string[] | null): string | null =>
  origins === null ? null : JSON.stringify([...new Set(origins)].sort())

/**
 * The origin that an owner writes, as browsers send it; undefined unless it is one of the domain or of a subdomain,
 * without a path.
 */
export function originOf(text: string, domain: string): string | undefined {
  const url = URL.parse(text)
  if (url?.protocol !== 'https:' && url?.protocol !== 'http:') return undefined
  const isDomains = url.hostname === domain || url.hostname.endsWith(`.${domain}`)
  const isBare = url.pathname === '/' && !/[?#@]/.test(text)
  return isDomains && isBare ? url.origin : undefined
}
