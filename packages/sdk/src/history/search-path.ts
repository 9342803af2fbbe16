import type { SearchType } from '@inkling/contract'
import { InklingError } from '../inkling-error.ts'

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i
const IPV4 = /^(?:(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)(?:\.(?!$)|$)){4}$/

/** Left alone by the API but escaped by encodeURIComponent. */
const UNESCAPED = /%(?:24|26|2B|2C|3A|3B|3D|40)/g
/** The other way round. */
const STILL_TO_ESCAPE = /[!'()*]/g

/** A UUID of any version, the nil UUID included, in either case. */
export const isUuid = (text: unknown): text is string => typeof text === 'string' && UUID.test(text)

/** The UUID in the form the API compares; the API answers a malformed one with a 500. */
export function uuidSegment(name: string, value: string): string {
  if (!isUuid(value)) throw new InklingError('invalid_argument', `${name} must be a UUID`)
  return value.toLowerCase()
}

/** The API compares any other escaping literally, which finds nothing and says nothing. */
function userHidSegment(value: string): string {
  if (value === '' || value === '.' || value === '..' || value.includes('/')) {
    throw new InklingError(
      'invalid_argument',
      'this user_hid cannot be searched: it must be one path segment',
    )
  }
  try {
    return encodeURIComponent(value)
      .replace(UNESCAPED, decodeURIComponent)
      .replace(STILL_TO_ESCAPE, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`)
  } catch (cause) {
    throw new InklingError('invalid_argument', 'user_hid must be well-formed Unicode', { cause })
  }
}

function ipSegment(value: string): string {
  if (!IPV4.test(value)) {
    throw new InklingError('invalid_argument', 'ip must be a dotted IPv4 address; IPv6 cannot be searched')
  }
  if (value === '0.0.0.0') {
    throw new InklingError('invalid_argument', '0.0.0.0 stands for "no IPv4 address" and cannot be searched')
  }
  return value
}

/** An unknown type would make the API ignore the filter and answer with the whole domain. */
const SEGMENTS: Record<SearchType, (value: string) => string> = {
  request_id: (value) => uuidSegment('request_id', value),
  device_id: (value) => uuidSegment('device_id', value),
  visitor_id: (value) => uuidSegment('visitor_id', value),
  session_id: (value) => uuidSegment('session_id', value),
  cookie_id: (value) => uuidSegment('cookie_id', value),
  user_hid: userHidSegment,
  ip: ipSegment,
}

export interface PageRange {
  limit: number
  offset: number
}

export function searchPath(type: SearchType, value: string, { limit, offset }: PageRange): string {
  if (!Object.hasOwn(SEGMENTS, type)) {
    throw new InklingError('invalid_argument', `unknown search type: ${String(type)}`)
  }
  // The API replaces a wrong limit by 20 without a word; a caller should hear of it.
  if (!Number.isInteger(limit) || limit < 1 || limit > 100) {
    throw new InklingError('invalid_argument', 'limit must be an integer from 1 to 100')
  }
  if (!Number.isSafeInteger(offset) || offset < 0) {
    throw new InklingError('invalid_argument', 'offset must be an integer of at least 0')
  }
  return `/api/v1/history/${type}/${SEGMENTS[type](value)}?limit=${limit}&offset=${offset}`
}
