import { SIGNAL_CATALOGUE } from '@inkling/contract'
import type { OverviewDimension } from '@inkling/contract/account'

/** What a person reads of a value. */
export function valueLabel(dimension: OverviewDimension, value: string): string {
  if (value === '') return dimension === 'campaign' || dimension === 'referrer' ? 'none' : 'unknown'
  if (dimension === 'signal')
    return Object.entries(SIGNAL_CATALOGUE).find(([name]) => name === value)?.[1].title ?? value
  return dimension === 'flag' || dimension === 'connection_type' ? value.replaceAll('_', ' ') : value
}
