import type { DevicePart } from '@inkling/contract/account'
import { componentName } from '../../evidence/evidence-fields.ts'

const NAMES: Partial<Record<DevicePart, string>> = {
  browser: 'Browser',
  system: 'Operating system',
  provider: 'Provider',
  country: 'Country',
}

/** A part of a device in words. */
export const partName = (part: DevicePart): string => NAMES[part] ?? componentName(part)
