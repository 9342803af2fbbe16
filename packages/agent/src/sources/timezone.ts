import type { ReadingValues } from '@inkling/contract'
import { Unsupported } from '../collect/unsupported.ts'
import type { WithTemporal } from './lib/realm-facts.ts'

export function timezone(): ReadingValues['timezone'] {
  // The same name at a tenth of the cost: the first formatter of a page loads its language's data.
  const { Temporal } = globalThis as WithTemporal
  const name = Temporal?.Now.timeZoneId() ?? Intl.DateTimeFormat().resolvedOptions().timeZone
  // Some embedded browsers ship without zone data.
  if (!name) throw new Unsupported()
  // Date counts minutes west of UTC, everyone else counts east. Subtracting, as negating 0 gives -0.
  return { name, offset_minutes: 0 - new Date().getTimezoneOffset() }
}
