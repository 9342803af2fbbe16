import { changingIdsOnAccount } from './changing-ids-on-account.ts'
import { manyAccountsOnDevice } from './many-accounts-on-device.ts'
import { manyAccountsOnLocalIp } from './many-accounts-on-local-ip.ts'
import { manyCountriesOnAccount } from './many-countries-on-account.ts'
import { manyDevicesOnAccount } from './many-devices-on-account.ts'
import { manyDevicesOnVisitor } from './many-devices-on-visitor.ts'
import { newDeviceAndCountry } from './new-device-and-country.ts'
import type { Pattern } from './pattern.ts'
import { sharedLocalIp } from './shared-local-ip.ts'

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
