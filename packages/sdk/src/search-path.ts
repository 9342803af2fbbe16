import { isUuid, NO_IPV4, type SearchType } from '@inkling/contract'
import { InklingError } from './inkling-error.ts'

/** Characters that the API wants plain and `encodeURIComponent` escapes. */
const PLAIN = '$&+,:;=@'
/** Characters that the API wants escaped and `encodeURIComponent` leaves alone. */
const ESCAPED = "!'()*"

/** A UUID in the case that the API compares. The API would answer a malformed one with a 500. */
export function uuidSegment(name: string, value: string): string {
  if (typeof value !== 'string' || !isUuid(value))
    throw new InklingError('invalid_argument', `${name} must be a UUID`)
  return value.toLowerCase()
}

/** The API has one escaping for each value. Any other is compared as it is, and silently finds nothing. */
function userHidSegment(value: string): string {
  if (value === '' || value === '.' || value === '..' || value.includes('/')) {
    throw new InklingError(
      'invalid_argument',
      'this user_hid cannot be searched: it must be one path segment',
    )
  }
  try {
    return Array.from(value, escaped).join('')
  } catch (cause) {
    throw new InklingError('invalid_argument', 'user_hid must be well-formed Unicode', { cause })
  }
}

function escaped(char: string): string {
  if (PLAIN.includes(char)) return char
  if (ESCAPED.includes(char)) return `%${char.charCodeAt(0).toString(16).toUpperCase()}`
  return encodeURIComponent(char)
}

function ipSegment(value: string): string {
  const parts = value.split('.')
  const isIpv4 = parts.length === 4 && parts.every((part) => String(Number(part) & 255) === part)
  if (!isIpv4 || value === NO_IPV4)
    throw new InklingError(
      'invalid_argument',
      'History can only be searched by a public, dotted IPv4 address',
    )
  return value
}

/** For an unknown type the API would drop the filter and answer with the whole domain. */
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
  // The API silently reads any other limit as 20, which no caller means.
  if (!Number.isInteger(limit) || limit < 1 || limit > 100) {
    throw new InklingError('invalid_argument', 'limit must be a whole number between 1 and 100')
  }
  if (!Number.isSafeInteger(offset) || offset < 0) {
    throw new InklingError('invalid_argument', 'offset must be a whole number and not negative')
  }
  return `/api/v1/history/${type}/${SEGMENTS[type](value)}?limit=${limit}&offset=${offset}`
}
