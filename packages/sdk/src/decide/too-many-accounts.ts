import { namesAccount } from '../identifies-nobody.ts'
import type { AccountRule } from './policy.ts'

/** Whether a device has more accounts than allowed. Stops asking at the first one too many. */
export async function tooManyAccounts(
  deviceId: string | undefined,
  { max, of, asking }: AccountRule,
): Promise<boolean> {
  // Without a usable device there is nothing to count by.
  if (deviceId === undefined) return false
  const accounts = new Set(namesAccount(asking) ? [asking] : [])
  if (accounts.size > max) return true
  for await (const account of await of(deviceId)) {
    if (namesAccount(account)) accounts.add(account)
    if (accounts.size > max) return true
  }
  return false
}
