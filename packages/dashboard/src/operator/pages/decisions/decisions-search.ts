import { DecisionFilters } from '@inkling/contract/account'

const FILTER_NAMES = ['action', 'purpose', 'from', 'to'] as const

export type DecisionsSearch = {
  [Name in (typeof FILTER_NAMES)[number]]?: NonNullable<DecisionFilters[Name]>
}

/** Drops what the API would reject, so that an address typed by hand cannot break the page. */
export function parseDecisionsSearch(search: Record<string, unknown>): DecisionsSearch {
  const known = FILTER_NAMES.flatMap((name) => {
    const read = DecisionFilters.shape[name].safeParse(search[name])
    return search[name] !== undefined && read.success ? [[name, read.data]] : []
  })
  return Object.fromEntries(known) as DecisionsSearch
}
