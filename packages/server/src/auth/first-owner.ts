import { randomBytes } from 'node:crypto'
import type { Store } from '../store/store.ts'
import { addUser } from './add-user.ts'

const EMAIL = 'admin@localhost'
const PASSWORD_BYTES = 15

export interface FirstLogin {
  email: string
  /** In the clear, to be shown once. */
  password: string
}

/** Adds the owner of a new installation; undefined when there is one. */
export async function addFirstOwner(store: Store, nowMs: number): Promise<FirstLogin | undefined> {
  const login = { email: EMAIL, password: randomBytes(PASSWORD_BYTES).toString('base64url') }
  const added = await addUser(store, { ...login, role: 'owner' }, { actor: 'first start', nowMs })
  return added && login
}
