import type { AccountUser } from '@inkling/contract/account'
import type { UserRow } from '../../store/users/users.ts'
import { presentTime } from '../present-time.ts'

export const presentUser = ({ id, email, role, created_at }: UserRow): AccountUser => ({
  id,
  email,
  role,
  created_at: presentTime(created_at),
})
