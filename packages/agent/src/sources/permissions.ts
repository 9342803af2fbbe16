import type { ReadingValues } from '@inkling/contract'
import { Unsupported } from '../collect/unsupported.ts'

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

/** Asks for the states only: querying never prompts. */
export async function permissions(): Promise<ReadingValues['permissions']> {
  if (!navigator.permissions?.query) throw new Unsupported()

  const states: ReadingValues['permissions'] = {}
  const answers = await Promise.all(NAMES.map(stateOf))
  NAMES.forEach((name, index) => {
    const state = answers[index]
    if (state !== undefined) states[name] = state
  })
  // Has its own way to the same state; a headless or patched browser may answer the two differently.
  if (typeof Notification === 'function') states.notification_api = Notification.permission
  return states
}

/** Undefined for a name that this browser does not know, which it says by rejecting. */
async function stateOf(name: string): Promise<string | undefined> {
  try {
    return (await navigator.permissions.query({ name: name as PermissionName })).state
  } catch {
    return undefined
  }
}
