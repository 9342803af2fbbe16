import type { ReadingValues } from '@inkling/contract'
import { Unsupported } from '../collect/unsupported.ts'
import { realmFacts } from './lib/realm-facts.ts'

/** The same facts from an empty frame of the page's own origin, which is never shown and gone at once. */
export function iframe(): ReadingValues['iframe'] {
  const frame = document.createElement('iframe')
  // Not by attribute, which a Content-Security-Policy may refuse.
  frame.style.setProperty('display', 'none', 'important')
  document.documentElement.append(frame)
  try {
    const realm = frame.contentWindow as typeof globalThis | null
    if (!realm?.navigator) throw new Unsupported()
    return { ...realmFacts(realm, null), webdriver: realm.navigator.webdriver === true }
  } finally {
    frame.remove()
  }
}
