import { SEARCH_TYPES, type SearchType } from '@inkling/contract'
import { IdentificationFilters } from '@inkling/contract/account'
import type { z } from 'zod'

type Filters = z.input<typeof IdentificationFilters>

/** What the address of the table says: what is looked for and how it is shown. */
export type TableSearch = { [Name in keyof Filters]?: string } & {
  /** Names of the shown columns with commas between; without it: the usual ones. */
  columns?: string
  /** `on` while new rows come in by themselves. */
  live?: string
}

export const FILTER_NAMES = Object.keys(IdentificationFilters.shape) as (keyof Filters)[]

/** Keeps what the API would accept: an address typed by hand must not break the page. */
export function readSearch(search: Record<string, unknown>): TableSearch {
  const known: Record<string, string> = {}
  for (const name of FILTER_NAMES) {
    const text = search[name]
    if (text !== undefined && IdentificationFilters.shape[name].safeParse(text).success)
      known[name] = String(text)
  }
  if (typeof search.columns === 'string') known.columns = search.columns
  if (search.live === 'on') known.live = 'on'
  return known
}

/** The part of it that the API is asked with. */
export const filtersOf = ({ columns, live, ...filters }: TableSearch): Filters => filters as Filters

export interface IdentifierSearch {
  type: SearchType
  value: string
}

/** The first identifier that is searched by. */
export const identifierOf = (search: TableSearch): IdentifierSearch | undefined =>
  SEARCH_TYPES.flatMap((type) => {
    const value = search[type]
    return value === undefined ? [] : [{ type, value }]
  })[0]

/** The same search by another identifier, or by none. */
export function withIdentifier(search: TableSearch, identifier: IdentifierSearch | undefined): TableSearch {
  const rest = Object.entries(search).filter(([name]) => !(SEARCH_TYPES as readonly string[]).includes(name))
  return { ...Object.fromEntries(rest), ...(identifier && { [identifier.type]: identifier.value }) }
}

/** Why a value cannot be searched by, in words; undefined when it can. */
export function whyNotSearchable({ type, value }: IdentifierSearch): string | undefined {
  if (IdentificationFilters.shape[type].safeParse(value).success) return undefined
  return type === 'ip' ? 'An IPv4 address, such as 203.0.113.7' : 'A UUID with all of its 36 characters'
}
