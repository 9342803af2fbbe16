import { userStore } from '../../store/users/users.ts'
import type { Handler } from '../handler.ts'
import { presentUser } from './present-user.ts'

export const listUsers: Handler<'listUsers'> = async (_call, { store }) =>
  (await userStore(store.reads).list()).map(presentUser)
