import type { DomainRow } from '../domains/domains.ts'
import type { Store } from '../store.ts'
import { auditStore } from '../users/users.ts'
import { erase } from './erase.ts'
import type { Identifier } from './matching-rows.ts'

/**
 * Erases identifiers of one person and records it in the audit log, without their values, which the log would otherwise
 * keep. When it fails midway, what was removed until then is recorded: it is gone.
 * @returns the number of removed identifications
 * @throws like `erase`
 */
export async function eraseRecorded(
  store: Store,
  { id, name }: Pick<DomainRow, 'id' | 'name'>,
  [first, ...others]: readonly [Identifier, ...Identifier[]],
  { actor, now }: { actor: string; now: () => number },
): Promise<number> {
  let rows = 0
  const record = (outcome: { incomplete?: true }): Promise<unknown> => {
    const included = others.length > 0 && { included: others.length }
    const detail = { type: first.type, ...included, rows, ...outcome }
    return auditStore(store.writes).add({ actor, action: 'privacy.erase', target: name, detail }, now())
  }
  try {
    for (const identifier of [first, ...others])
      await erase(store, id, identifier, (batch) => {
        rows += batch
      })
  } catch (error) {
    await record({ incomplete: true })
    throw error
  }
  await record({})
  return rows
}
