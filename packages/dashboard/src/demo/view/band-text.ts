import type { Band } from '@inkling/sdk'

const TEXTS: Record<Band, string> = {
  trusted: 'trusted',
  suspicious: 'suspicious',
  dangerous: 'dangerous',
  rate_limited: 'rate limited',
}

export const bandText = (band: Band): string => TEXTS[band]
