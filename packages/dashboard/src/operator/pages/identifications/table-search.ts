import { IdentificationFilters } from '@inkling/contract/account'
import { getRouteApi } from '@tanstack/react-router'
import type { z } from 'zod'
import { IDENTIFIERS, type IdentifierType } from '../../parts/identifier.tsx'

type Filters = z.input<typeof IdentificationFilters>

/** The state of the table, which its address carries: the filters and how the rows are shown. */
export type TableSearch = { [Name in keyof Filters]?: string } & {
  /** Names of the columns, separated by commas; the default columns without it. */
  columns?: string
  /** `on` when new rows appear by themselves. */
  live?: string
}

export const FILTER_NAMES = Object.keys(IdentificationFilters.shape) as (keyof Filters)[]

/** Keeps every known filter, also one that the API would reject, so that the page can say so. */
export function parseTableSearch(search: Record<string, unknown>): TableSearch {
  const known: Record<string, string> = {}
  for (const name of FILTER_NAMES) {
    const text = search[name]
    if (text !== undefined) known[name] = String(text)
  }
  if (typeof search.columns === 'string') known.columns = search.columns
  if (search.live === 'on') known.live = 'on'
  return known
}

/** Whether the API takes this value of a filter. */
const isValid = (name: keyof Filters, text: string): boolean =>
  IdentificationFilters.shape[name].safeParse(text).success

/** The filters alone, without those that the API rejects. */
export const filtersOf = (search: TableSearch): Filters =>
  Object.fromEntries(
    FILTER_NAMES.flatMap((name) => {
      const text = search[name]
      return text === undefined || !isValid(name, text) ? [] : [[name, text]]
    }),
  ) as Filters

/** Filters of an address typed by hand that mean nothing; the search goes without them. */
export const invalidFilters = (search: TableSearch): (keyof Filters)[] =>
  FILTER_NAMES.filter((name) => {
    const text = search[name]
    return text !== undefined && !isValid(name, text)
  })

interface IdentifierSearch {
  type: IdentifierType
  value: string
}

/** The identifier that is searched for; the first one if the address has several. */
export const identifierOf = (search: TableSearch): IdentifierSearch | undefined =>
  IDENTIFIERS.flatMap((type) => {
    const value = search[type]
    return value === undefined ? [] : [{ type, value }]
  })[0]

/** The same filters with another identifier, or with none. */
export function withIdentifier(search: TableSearch, identifier: IdentifierSearch | undefined): TableSearch {
  const rest = Object.entries(search).filter(([name]) => !(IDENTIFIERS as readonly string[]).includes(name))
  return { ...Object.fromEntries(rest), ...(identifier && { [identifier.type]: identifier.value }) }
}

/** What is wrong with an identifier, for the user to read; undefined when it is valid. */
export function identifierProblem({ type, value }: IdentifierSearch): string | undefined {
  if (isValid(type, value)) return undefined
  if (type === 'local_ip') return 'Enter an IPv4 address, such as 192.0.2.44.'
  return type === 'ip'
    ? 'Enter an IP address, or a network such as 2001:db8::/48.'
    : 'Enter a complete UUID of 36 characters.'
}

const route = getRouteApi('/signed-in/d/$domain/identifications')

interface TableState {
  domain: string
  search: TableSearch
  /** Undefined values remove a filter. */
  change(part: { [Name in keyof TableSearch]?: TableSearch[Name] | undefined }): void
  replace(search: TableSearch): void
}

/** The address holds the state of the table, so that it can be shared and the back button works. */
export function useTableSearch(): TableState {
  const { domain } = route.useParams()
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const replace = (next: TableSearch): void => void navigate({ search: next })
  return {
    domain,
    search,
    replace,
    change(part) {
      const next = Object.entries({ ...search, ...part }).filter(
        ([, value]) => value !== undefined && value !== '',
      )
      replace(Object.fromEntries(next))
    },
  }
}
