const LIMIT_DEFAULT = 20
const LIMIT_MAX = 100
/** A signed decimal integer, as the service has always read these: `+5` and `05` are 5. */
const INTEGER = /^[+-]?\d+$/

export interface Paging {
  limit: number
  offset: number
}

/** Values out of range, or no numbers, are replaced by the default and not clamped. */
export function readPaging(
  query: URLSearchParams,
  { limitDefault = LIMIT_DEFAULT, limitMax = LIMIT_MAX } = {},
): Paging {
  const limit = integer(query.get('limit'))
  const offset = integer(query.get('offset'))
  return {
    limit: limit !== undefined && limit >= 1 && limit <= limitMax ? Number(limit) : limitDefault,
    // Past the safe integers there are no rows either.
    offset: offset !== undefined && offset >= 0 ? Math.min(Number(offset), Number.MAX_SAFE_INTEGER) : 0,
  }
}

/** Undefined for text that is no integer of 64 bits, as the service has always read them. */
function integer(text: string | null): bigint | undefined {
  if (text === null || !INTEGER.test(text)) return undefined
  const value = BigInt(text)
  return BigInt.asIntN(64, value) === value ? value : undefined
}
