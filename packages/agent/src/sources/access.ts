import type { ReadingValues } from '@inkling/contract'
import { Unsupported } from '../collect/source.ts'

/** Reads without writing, because a write would fire the storage listeners of the site's other tabs. */
export const storage = async (): Promise<ReadingValues['storage']> => ({
  cookies: navigator.cookieEnabled,
  local_storage: isThere(() => window.localStorage),
  session_storage: isThere(() => window.sessionStorage),
  indexed_db: await indexedDbWorks(),
})

/** The property throws where the visitor or a sandbox forbids storage, and is null in Android WebView. */
function isThere(read: () => Storage | null): boolean {
  try {
    return Boolean(read())
  } catch {
    return false
  }
}

/** The object exists even where its use is refused. Listing databases is the only use that creates none. */
async function indexedDbWorks(): Promise<boolean> {
  try {
    // In a sandboxed frame Chromium also rejects a promise that the page would see as unhandled.
    if (!window.indexedDB || window.origin === 'null') return false
    // In Firefox since 126.
    if (typeof window.indexedDB.databases === 'function') await window.indexedDB.databases()
    return true
  } catch {
    return false
  }
}

const NAMES = [
  'accelerometer',
  'background-sync',
  'camera',
  'clipboard-read',
  'clipboard-write',
  'geolocation',
  'gyroscope',
  'local-fonts',
  'magnetometer',
  'microphone',
  'midi',
  'notifications',
  'payment-handler',
  'persistent-storage',
  'screen-wake-lock',
  'storage-access',
  'window-management',
]

/** Only queries states, which never prompts (https://w3c.github.io/permissions/#query-method). */
export async function permissions(): Promise<ReadingValues['permissions']> {
  if (!navigator.permissions?.query) throw new Unsupported()

  const states: ReadingValues['permissions'] = {}
  const answers = await Promise.all(NAMES.map(stateOf))
  NAMES.forEach((name, index) => {
    const state = answers[index]
    if (state !== undefined) states[name] = state
  })
  // A second way to the same state. A headless or patched browser may answer the two differently.
  if (typeof Notification === 'function') states.notification_api = Notification.permission
  return states
}

/** Undefined for a name that this browser does not know: it rejects those. */
async function stateOf(name: string): Promise<string | undefined> {
  try {
    return (await navigator.permissions.query({ name: name as PermissionName })).state
  } catch {
    return undefined
  }
}
