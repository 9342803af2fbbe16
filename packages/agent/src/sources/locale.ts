import type { ReadingValues } from '@inkling/contract'
import { Unsupported } from '../collect/source.ts'

/** Chromium since 144, Firefox since 139. */
export interface WithTemporal {
  Temporal?: { Now: { timeZoneId(): string } }
}

/** The list keeps its order, which is the visitor's preference and the order of the Accept-Language header. */
export const languages = (): ReadingValues['languages'] => ({
  language: navigator.language,
  languages: [...navigator.languages],
  // The formatter that loads least.
  locale: new Intl.PluralRules().resolvedOptions().locale,
})

export function timezone(): ReadingValues['timezone'] {
  // A tenth of the cost of a formatter, whose first use in a page loads the language's data.
  const { Temporal } = globalThis as WithTemporal
  const name = Temporal?.Now.timeZoneId() ?? Intl.DateTimeFormat().resolvedOptions().timeZone
  // Some embedded browsers ship without time zone data.
  if (!name) throw new Unsupported()
  // Date counts minutes west of UTC, the wire counts east. Subtracted because negating 0 gives -0.
  return { name, offset_minutes: 0 - new Date().getTimezoneOffset() }
}
