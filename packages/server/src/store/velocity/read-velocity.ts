import type { VelocityCounts, VelocitySubject } from '../../visit/velocity.ts'
import { VELOCITY_SUBJECTS } from '../../visit/velocity.ts'
import type { Store } from '../store.ts'
import { readSubjectHashes } from './subject-hashes.ts'
import { countsOf } from './velocity-state.ts'

/** The counts of a subject at that time; undefined where no visit of it counts any more. */
export async function readVelocity(
  store: Pick<Store, 'velocity' | 'secrets'>,
  domainId: number,
  { subject, value, atMs }: { subject: VelocitySubject; value: string; atMs: number },
): Promise<VelocityCounts | undefined> {
  const hash = (await readSubjectHashes(store.secrets))?.of(domainId, subject, value)
  if (!hash) return undefined
  const state = await store.velocity.read({
    domain_id: domainId,
    subject: VELOCITY_SUBJECTS.indexOf(subject),
    hash,
  })
  const counts = state && countsOf(state, atMs)
  return counts && counts.visits.d7 > 0 ? counts : undefined
}
