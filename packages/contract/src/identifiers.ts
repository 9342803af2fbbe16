/**
 * Identifiers and keys as text. This file needs no schema library: the SDK bundles it, and the server's
 * worker threads start without loading zod.
 */

/** Stands for "no identifier". Strangers share it, so nothing may be grouped by it. */
export const NIL_UUID = '00000000-0000-0000-0000-000000000000'

export const UUID_PATTERN = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i

/** Any UUID version, the nil UUID included, in either case. */
export const isUuid = (text: string): boolean => UUID_PATTERN.test(text)

/** Stands in the IPv4 columns of a row for "no IPv4 address". */
export const NO_IPV4 = '0.0.0.0'

/** What `user_hid` holds when nobody was signed in or nothing was sent. */
const NO_ACCOUNT: ReadonlySet<string> = new Set(['', '-1', 'anonymous', 'fail', 'null', 'unknown'])

/** Whether a `user_hid` names an account. The values that do not are shared by strangers. */
export const namesAccount = (userHid: string | null | undefined): userHid is string =>
  typeof userHid === 'string' && !NO_ACCOUNT.has(userHid)

/** Whether an ID belongs to one device, visitor, session or cookie. The nil UUID belongs to nobody. */
export const namesOne = (id: string | null | undefined): id is string =>
  typeof id === 'string' && id !== '' && id !== NIL_UUID

/** The identifiers that History can be searched by. */
export const SEARCH_TYPES = [
  'request_id',
  'device_id',
  'user_hid',
  'visitor_id',
  'ip',
  'session_id',
  'cookie_id',
] as const
export type SearchType = (typeof SEARCH_TYPES)[number]

export const PUBLIC_KEY_PATTERN = /^[0-9a-f]{32}$/
export const SECRET_KEY_PATTERN = /^[0-9a-f]{32}$/
export const API_KEY_PATTERN = /^sec_(?:[a-z0-9]{8}-){2}[a-z0-9]{8}$/
export const SIGNING_SECRET_PATTERN = /^whsec_[0-9a-f]{32}$/
