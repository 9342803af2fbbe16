import type { Kysely } from 'kysely'
import { Refusal } from '../../lib/refusal.ts'
import type { Schema } from '../../store/schema.ts'
import { userStore } from '../../store/users.ts'

/**
 * Asked after a change, inside its transaction: without an owner nobody could manage the others.
 * @throws Refusal, which takes the change back
 */
export async function keepAnOwner(transaction: Kysely<Schema>): Promise<void> {
  if ((await userStore(transaction).countOwners()) === 0)
    throw new Refusal('conflict', 'the last owner has to stay one')
}

export const NO_USER = (): Refusal => new Refusal('not_found', 'no such user')
