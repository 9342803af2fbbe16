import type { ClientBase } from 'pg'
import { STICKY_VERDICT } from '../columns.ts'
import type { NewIdentification, NewStickyVerdict } from '../store.ts'
import {
  type ArrayStatement,
  arrayStatement,
  insertNumbered,
  runIfAny,
  statement,
} from './array-statement.ts'
import type { Numbers } from './new-numbers.ts'

/** Stores verdicts that carry over to later visits. */
export const addStickyVerdicts = (
  client: ClientBase,
  verdicts: readonly NewStickyVerdict[],
  numbers: Numbers,
): Promise<void> =>
  runIfAny(
    ADD,
    client,
    verdicts.map((verdict) => ({ ...verdict, id: numbers.next('sticky_verdicts') })),
  )

/** Removes the verdicts that these visits left. */
export const withdrawStickyVerdicts = (
  client: ClientBase,
  visits: readonly NewIdentification[],
): Promise<void> => runIfAny(WITHDRAW, client, visits)

/** Has running servers read the verdicts anew, as `bumpForRemovedVerdicts`. It belongs behind what locks a domain, as where domains change. */
export const bumpDirectory = (client: ClientBase): Promise<unknown> => BUMP.run(client, [])

const BUMP = statement('bump directory', [], () => 'update directory_version set version = version + 1')
const WITHDRAW: ArrayStatement<Pick<NewIdentification, 'domain_id' | 'device_id' | 'request_id'>> =
  arrayStatement(
    'withdraw sticky verdicts',
    { domain_id: 'integer', device_id: 'bytes', request_id: 'bytes or null' },
    (rows, { table }) => `delete from ${table('sticky_verdicts')} as verdicts using ${rows}
      where verdicts.domain_id = given.domain_id and verdicts.device_id = given.device_id
        and verdicts.request_id = given.request_id`,
  )
const ADD = insertNumbered('sticky_verdicts', STICKY_VERDICT)
