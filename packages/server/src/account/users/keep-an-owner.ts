import type { Kysely } from 'kysely'
import { AppError } from '../../lib/errors.ts'
import type { Schema } from '../../store/schema.ts'
import { userStore } from '../../store/users/users.ts'

/**
 * Asked after a change, inside its transaction: without an owner nobody could manage the others.
 * @throws AppError, which takes the change back
 */
export async function keepAnOwner(transaction: Kysely<Schema>): Promise<void> {
  if ((await userStore(transaction).countOwners()) === 0) throw new AppError('INK_LAST_OWNER')
}

export const NO_USER = (): AppError => new AppError('INK_NOT_FOUND', 'no such user')
