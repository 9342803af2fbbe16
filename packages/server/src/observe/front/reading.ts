/** What a parser makes of the bytes that have come so far. */
export type Reading<Value> =
  /** It needs to see the first `needBytes` bytes before it can say more. */
  | { state: 'more'; needBytes: number }
  | { state: 'read'; value: Value }
  /** Not what was looked for, and no further byte will change that. */
  | { state: 'foreign' }

export const more = (needBytes: number): { state: 'more'; needBytes: number } => ({
  state: 'more',
  needBytes,
})

export const read = <Value>(value: Value): { state: 'read'; value: Value } => ({ state: 'read', value })

export const FOREIGN: { state: 'foreign' } = { state: 'foreign' }
