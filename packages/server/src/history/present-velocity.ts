import type { VisitVelocity } from '@inkling/contract'
import type { IdentificationRow } from '../store/identifications/identifications.ts'
import { velocityOf } from '../store/velocity/velocity-column.ts'

/** Undefined for a visit that was not counted. */
export function presentVelocity(row: Pick<IdentificationRow, 'velocity'>): VisitVelocity | undefined {
  const known = Object.entries(velocityOf(row)).filter(([, counts]) => counts !== null)
  return known.length > 0 ? Object.fromEntries(known) : undefined
}
