import type { ReadingValues } from '@inkling/contract'

/** The list keeps its order: it is the visitor's preference, and the Accept-Language header repeats it. */
export const languages = (): ReadingValues['languages'] => ({
  language: navigator.language,
  languages: [...navigator.languages],
  // Of all formatters the one that loads least.
  locale: new Intl.PluralRules().resolvedOptions().locale,
})
