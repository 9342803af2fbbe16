import { changingIdsOnAccount, manyCountriesOnAccount, manyDevicesOnAccount } from './account-patterns.ts'
import { manyAccountsOnDevice, manyDevicesOnVisitor } from './device-patterns.ts'
import { manyAccountsOnLocalIp, sharedLocalIp } from './local-ip-patterns.ts'
import { newDeviceAndCountry } from './new-device-and-country.ts'
import type { Pattern } from './pattern.ts'

/** THE EIGHT. */
export const PATTERNS: readonly Pattern[] = [
  manyAccountsOnDevice,
  manyDevicesOnAccount,
  changingIdsOnAccount,
  manyAccountsOnLocalIp,
  manyCountriesOnAccount,
  manyDevicesOnVisitor,
  sharedLocalIp,
  newDeviceAndCountry,
]

/** No pattern looks further back. */
export const LONGEST_WINDOW_MS = Math.max(...PATTERNS.map(({ windowMs }) => windowMs))
