import type { VelocityCounts, VelocitySubject } from '../../visit/velocity.ts'
import { VELOCITY_SUBJECTS } from '../../visit/velocity.ts'
import type { Store } from '../store.ts'
import { readSubjectHashes } from './subject-hashes.ts'
import { countsOf, decodeState } from './velocity-state.ts'

/** The counts of a subject at that time; undefined where no visit of it counts any more. */
export async function readVelocity(
  { reads, secrets }: Pick<Store, 'reads' | 'secrets'>,
  domainId: number,
  { subject, value, atMs }: { subject: VelocitySubject; value: string; atMs: number },
): Promise<VelocityCounts | undefined> {
  const hash = (await readSubjectHashes(secrets))?.of(domainId, subject, value)
  if (!hash) return undefined
  const row = await reads
    .selectFrom('velocity')
    .select('state')
    .where('domain_id', '=', domainId)
    .where('subject', '=', VELOCITY_SUBJECTS.indexOf(subject))
    .where('hash', '=', hash)
    .executeTakeFirst()
  const counts = row && countsOf(decodeState(subject, row.state), atMs)
  return counts && counts.visits.d7 > 0 ? counts : undefined
}
