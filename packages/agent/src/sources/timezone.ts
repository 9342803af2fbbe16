import type { ReadingValues } from '@inkling/contract'
import { unsupported } from '../collect/unsupported.ts'

export function timezone(): ReadingValues['timezone'] {
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions()
  // Some embedded browsers ship without zone data.
  if (!timeZone) throw unsupported('Intl time zone')
  // Date counts minutes west of UTC, everyone else counts east. Subtracting, as negating 0 gives -0.
  return { name: timeZone, offset_minutes: 0 - new Date().getTimezoneOffset() }
}
