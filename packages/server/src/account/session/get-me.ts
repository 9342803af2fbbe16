import type { Handler } from '../handler.ts'

export const getMe: Handler<'getMe'> = ({ caller: { id, email, role } }) =>
  Promise.resolve({ id, email, role })
