import { BANDS, SEARCH_TYPES } from '@inkling/contract'
import type { IdentificationFilters } from '@inkling/contract/account'
import { lookupOf } from '../../store/identifications/lookup.ts'
import type { Criteria, Order } from '../../store/identifications/search-identifications.ts'

export function readCriteria(filters: IdentificationFilters): Criteria {
  const { band, country, connection_type, browser, os, device_type } = filters
  const range = band === undefined ? undefined : BANDS[band]
  return {
    lookups: SEARCH_TYPES.flatMap((column) => {
      const value = filters[column]
      return value === undefined ? [] : [lookupOf(column, value)]
    }),
    fromMs: filters.from === undefined ? undefined : Date.parse(filters.from),
    toMs: filters.to === undefined ? undefined : Date.parse(filters.to),
    scoreMin: greatest(filters.score_min, range?.from),
    scoreMax: least(filters.score_max, range?.to),
    flag: filters.flag,
    signal: filters.signal,
    pattern: filters.pattern,
    equal: {
      ...(country !== undefined && { country: country === '' ? null : country }),
      ...(connection_type !== undefined && { connection_type }),
      ...(browser !== undefined && { browser }),
      ...(os !== undefined && { os }),
      ...(device_type !== undefined && { device_type }),
    },
  }
}

const given = (values: readonly (number | undefined)[]): number[] =>
  values.filter((value) => value !== undefined)

const greatest = (...values: (number | undefined)[]): number | undefined =>
  given(values).length === 0 ? undefined : Math.max(...given(values))

const least = (...values: (number | undefined)[]): number | undefined =>
  given(values).length === 0 ? undefined : Math.min(...given(values))

const ORDERS: Record<IdentificationFilters['sort'], Order> = {
  newest: { by: 'time', direction: 'desc' },
  oldest: { by: 'time', direction: 'asc' },
  riskiest: { by: 'score', direction: 'desc' },
  safest: { by: 'score', direction: 'asc' },
}

export const readOrder = ({ sort }: Pick<IdentificationFilters, 'sort'>): Order => ORDERS[sort]
