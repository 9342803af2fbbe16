import { expect } from 'vitest'
import type { NewIdentification, Store, WriteOperation } from '../src/store/store.ts'

type Refinement = Extract<WriteOperation, { type: 'refinement' }>

/** Stores a later version of an identification on top of the one that is stored. */
export async function storeLaterVersion(
  { commit, reads }: Pick<Store, 'commit' | 'reads'>,
  row: NewIdentification,
  given: Partial<Refinement> = {},
): Promise<void> {
  const { ver } = await reads
    .selectFrom('identifications')
    .select('ver')
    .where('domain_id', '=', row.domain_id)
    .where('request_id', '=', row.request_id)
    .executeTakeFirstOrThrow()
  const refinement: Refinement = { type: 'refinement', row, earlierVer: ver, snapshot: undefined, outbox: [] }
  expect(await commit({ ...refinement, ...given })).toMatchObject({ type: 'refined' })
}
