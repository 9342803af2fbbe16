import { ENTITY_TYPES, PatternFilters } from '@inkling/contract/account'

/**
 * Reads the query of an address as plain text: the router's default would quote numbers and booleans. What is given
 * several times is a list.
 */
export function parseQuery(text: string): Record<string, string | string[]> {
  const query = new URLSearchParams(text)
  return Object.fromEntries(
    [...query].map(([key, value]) => {
      const values = query.getAll(key)
      return [key, values.length > 1 ? values : value]
    }),
  )
}

export function formatQuery(search: Record<string, unknown>): string {
  const known = Object.entries(search).flatMap(([key, value]) =>
    (Array.isArray(value) ? value : [value]).flatMap((one) =>
      one === undefined ? [] : [[key, String(one)]],
    ),
  )
  const text = new URLSearchParams(known).toString()
  return text === '' ? '' : `?${text}`
}

interface EntitySearch {
  type: (typeof ENTITY_TYPES)[number]
  value: string
}

/** Falls back to a device without a value, so that an address typed by hand cannot break the page. */
export function parseEntitySearch({ type, value }: Record<string, unknown>): EntitySearch {
  const known = ENTITY_TYPES.find((name) => name === type)
  return known && typeof value === 'string' ? { type: known, value } : { type: 'device_id', value: '' }
}

/** Two device IDs; empty where the address has none. */
export function parseCompareSearch({ a, b }: Record<string, unknown>): { a: string; b: string } {
  const text = (value: unknown): string => (typeof value === 'string' ? value : '')
  return { a: text(a), b: text(b) }
}

const PATTERN_FILTERS = ['pattern', 'grade', 'state'] as const

export type PatternsSearch = {
  [Name in (typeof PATTERN_FILTERS)[number]]?: NonNullable<PatternFilters[Name]>
}

/** Drops what the API would reject, so that an address typed by hand cannot break the page. */
export function parsePatternsSearch(search: Record<string, unknown>): PatternsSearch {
  const known = PATTERN_FILTERS.flatMap((name) => {
    const read = PatternFilters.shape[name].safeParse(search[name])
    return search[name] !== undefined && read.success ? [[name, read.data]] : []
  })
  return Object.fromEntries(known) as PatternsSearch
}
