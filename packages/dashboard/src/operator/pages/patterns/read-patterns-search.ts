import { PatternFilters } from '@inkling/contract/account'

const NAMES = ['pattern', 'grade', 'state'] as const

/** What the address of the list says. */
export type PatternsSearch = { [Name in (typeof NAMES)[number]]?: NonNullable<PatternFilters[Name]> }

/** Keeps what the API would accept: an address typed by hand must not break the page. */
export function readPatternsSearch(search: Record<string, unknown>): PatternsSearch {
  const known = NAMES.flatMap((name) => {
    const read = PatternFilters.shape[name].safeParse(search[name])
    return search[name] !== undefined && read.success ? [[name, read.data]] : []
  })
  return Object.fromEntries(known) as PatternsSearch
}
