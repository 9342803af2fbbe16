import { DecisionFilters, ENTITY_TYPES, PatternFilters } from '@inkling/contract/account'
import { type output, safeParse, type ZodType } from 'zod'

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

/** Some filters of an operation. */
type Filters<Name extends string, Shape extends Record<Name, ZodType>> = {
  [One in Name]?: NonNullable<output<Shape[One]>>
}

/** Drops what the API would reject, so that an address typed by hand cannot break the page. */
const filterParser =
  <Name extends string, Shape extends Record<Name, ZodType>>(
    { shape }: { shape: Shape },
    names: readonly Name[],
  ) =>
  (search: Record<string, unknown>): Filters<Name, Shape> => {
    const known = names.flatMap((name) => {
      const read = safeParse(shape[name], search[name])
      return search[name] !== undefined && read.success ? [[name, read.data]] : []
    })
    return Object.fromEntries(known) as Filters<Name, Shape>
  }

export const parsePatternsSearch = filterParser(PatternFilters, ['pattern', 'grade', 'state'])
export type PatternsSearch = ReturnType<typeof parsePatternsSearch>

export const parseDecisionsSearch = filterParser(DecisionFilters, ['action', 'purpose', 'from', 'to'])
export type DecisionsSearch = ReturnType<typeof parseDecisionsSearch>
