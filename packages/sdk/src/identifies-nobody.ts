const NIL_UUID = '00000000-0000-0000-0000-000000000000'

/** What a row carries in `user_hid` when nobody was signed in, or when nothing was sent. */
const NO_ACCOUNT: readonly string[] = ['anonymous', 'fail', '-1', 'unknown', 'null', '']

/**
 * Whether a `user_hid` names an account. Skip the others when you count accounts: `anonymous`, `fail`,
 * `-1`, `unknown`, `null` and the empty text are shared by strangers.
 */
export const namesAccount = (userHid: string | null | undefined): userHid is string =>
  typeof userHid === 'string' && !NO_ACCOUNT.includes(userHid)

/**
 * Whether a device, visitor, session or cookie ID tells this one from others. The nil UUID stands for
 * everybody without one: never group by it.
 */
export const namesOne = (id: string | null | undefined): id is string =>
  typeof id === 'string' && id !== '' && id !== NIL_UUID
