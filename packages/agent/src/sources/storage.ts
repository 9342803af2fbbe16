import type { ReadingValues } from '@inkling/contract'

/** Looks without writing: a probe would wake the storage listeners of every other tab of the site. */
export const storage = async (): Promise<ReadingValues['storage']> => ({
  cookies: navigator.cookieEnabled,
  local_storage: isThere(() => window.localStorage),
  session_storage: isThere(() => window.sessionStorage),
  indexed_db: await indexedDbWorks(),
})

/** Reading the property throws where the visitor or a sandbox forbids it; Android WebView gives null. */
function isThere(read: () => Storage | null): boolean {
  try {
    return Boolean(read())
  } catch {
    return false
  }
}

/** The object exists even where using it is refused. Listing databases is the one use that makes none. */
async function indexedDbWorks(): Promise<boolean> {
  try {
    // In a sandboxed frame Chromium also leaves a second rejection behind, which the page would see.
    if (!window.indexedDB || window.origin === 'null') return false
    // Firefox has this since 126.
    if (typeof window.indexedDB.databases === 'function') await window.indexedDB.databases()
    return true
  } catch {
    return false
  }
}
