/** Without the schema library: threads of the server that need no more than this start without it. */

/** Stands for "no such identifier": never group by it. */
export const NIL_UUID = '00000000-0000-0000-0000-000000000000'

export const UUID_PATTERN = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

/** Any UUID version, the nil UUID included, in either case. */
export const isUuid = (text: string): boolean => UUID_PATTERN.test(text)
